#!/usr/bin/env python3
"""运行 scripts/jiancha.py：`python3 tests/test_jiancha.py`。"""

import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "jiancha.py"
GOOD = """# 周报：2026-11-23 至 2026-11-27

## 本周结果
- 登录超时：已修复，超时率从 2.1% 降到 0.3%

## 进行中
- 导出：开发完成，周四提测

## 风险
- 无

## 下周计划
- 导出：支持 xlsx
"""


def run(text, *arguments):
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], input=data, capture_output=True)
    return done.returncode, done.stdout.decode()


class Jiancha(unittest.TestCase):
    def test_good(self):
        self.assertEqual(run(GOOD), (0, "格式正确\n"))
        self.assertEqual(run(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()), (0, "格式正确\n"))

    def test_every_fault_names_its_line(self):
        text = GOOD.replace("：已修复，超时率从 2.1% 降到 0.3%", "基本修好").replace("# 周报：", "# 工作总结 ")
        self.assertEqual(run(text), (1, (
            "第 1 行：第一行应为“# 周报：日期”\n"
            "第 4 行：没有数据，补上数字或“暂无数据”\n"
            "第 4 行：用了“基本”\n"
            "第 4 行：缺少“：”，应写成“事项：结果”\n"
        )))

    def test_sections(self):
        self.assertEqual(run(GOOD.replace("## 风险", "## 问题"))[1].splitlines(), [
            "第 9 行：没有“问题”这一栏",
            "第 13 行：栏目应依次为：本周结果、进行中、风险、下周计划",
        ])

    def test_length(self):
        self.assertEqual(run(GOOD.replace("支持 xlsx", "字" * 58)), (1, "第 13 行：61 字，超过 60 字\n"))

    def test_exit_codes(self):
        self.assertEqual(run("")[0], 3)
        self.assertEqual(run("周报".encode("gbk"))[0], 3)
        self.assertEqual(run(GOOD, "--no-such-option")[0], 2)


if __name__ == "__main__":
    unittest.main()
