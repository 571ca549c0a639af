# Packs each folder `my` below the work directory's folders with what comes with Perl: Archive::Tar, and
# IO::Compress::Zip, which streams and can force zip64.
use strict;
use warnings;
use Cwd;
use File::Find;

unless (eval { require Archive::Tar; require IO::Compress::Zip; 1 }) {
    print STDERR "not run: $@";
    exit 0;
}

my ($out, $top) = ($ARGV[0], getcwd());
opendir(my $listing, '.') or die;
for my $tree (grep { !/^\./ } readdir $listing) {
    chdir "$top/$tree" or die;
    my @files;
    find({ no_chdir => 1, wanted => sub { push @files, $_ if -f } }, 'my');
    my $tar = Archive::Tar->new;
    $tar->add_files(@files);
    $tar->write("$out/perl-$tree.tar") or die $tar->error;
    for my $kind (['seekable', 0, 0], ['streamed', 1, 0], ['streamed-zip64', 1, 1]) {
        my ($name, $stream, $wide) = @$kind;
        my $zip;
        for my $file (@files) {
            my @mode = (ExtAttr => (stat $file)[2] << 16);
            my @options = (Name => $file, Stream => $stream, Zip64 => $wide, @mode);
            if ($zip) { $zip->newStream(@options) }
            else { $zip = IO::Compress::Zip->new("$out/perl-$name-$tree.zip", @options) or die "no zip of $tree" }
            open(my $source, '<:raw', $file) or die;
            local $/;
            $zip->print(scalar <$source> // '');
        }
        $zip->close;
    }
}
