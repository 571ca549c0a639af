import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packs each folder {@code my} below the work directory's folders as Java does: java.util.zip, and the tool jar. */
public class Make {
    public static void main(String[] arguments) throws Exception {
        Path out = Path.of(arguments[0]);
        try (Stream<Path> trees = Files.list(Path.of(""))) {
            for (Path tree : trees.toList()) {
                zip(tree, out.resolve("java-zip-" + tree + ".zip"));
                ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
                String name = out.resolve("java-jar-" + tree + ".zip").toString();
                jar.run(System.out, System.err, "--create", "--no-manifest", "--file", name, "-C", tree.toString(), "my");
            }
        }
    }

    private static void zip(Path tree, Path to) throws Exception {
        try (OutputStream file = Files.newOutputStream(to); ZipOutputStream zip = new ZipOutputStream(file)) {
            List<Path> files;
            try (Stream<Path> walk = Files.walk(tree)) {
                files = walk.filter(Files::isRegularFile).sorted().toList();
            }
            for (Path path : files) {
                zip.putNextEntry(new ZipEntry(tree.relativize(path).toString()));
                Files.copy(path, zip);
                zip.closeEntry();
            }
        }
    }
}
