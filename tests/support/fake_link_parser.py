#!/usr/bin/env python3
"""Stands in for link-parser: chains the words of a sentence, and misbehaves at certain words.

Like the real one it flushes its output only after a sentence.
"""

import os
import signal
import sys
import time


def linkage(number: int, words: list[str], total: int) -> str:
    title = "Unique linkage" if total == 1 else f"Linkage {number + 1}"
    printed = ["LEFT-WALL", *(f"{word}.n" for word in words), "RIGHT-WALL"]
    links = [(left, left + 1, f"A{chr(97 + number)}") for left in range(1, len(words))]
    table = "".join(
        f" (m)   {printed[left]:<15}X   ----{type}----  X   {printed[right]}\n" for left, right, type in links
    )
    joined = "".join(f"[{left} {right} 0 ({type})]" for left, right, type in links)
    shown = "".join(f"({word})" for word in printed)
    header = f"\t{title}, cost vector = (UNUSED=0 DIS= {number}.50 LEN={len(words)})\n"
    return f"{header}{table}\n[{shown}]\n[{joined}]\n[0]\n\n"


def answer(words: list[str]) -> None:
    if "CRASH" in words:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "HANG" in words:
        time.sleep(1000)
    if "EXIT" in words:
        sys.exit(0)
    if "BYTES" in words:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"\xff\xfe\n")
    if "TIMER" in words:
        print("Timer is expired!")
        return
    if "NOTHING" in words:
        print("Found 0 linkages (0 had no P.P. violations)")
        return
    if "LIES" in words:
        words = ["something", "else"]
    total = 3 if "THREE" in words else 1
    print(f"Found {total} linkages ({total} had no P.P. violations)")
    for number in range(total):
        if number and sys.stdin.readline() != "\n":
            return
        text = linkage(number, words, total)
        print(text.replace("[[1 2 0", "[[1 99 0") if "GARBLE" in words else text, end="")


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        if line.startswith("!width="):
            print(f"width set to {line.removeprefix('!width=').strip()}")
        elif line.startswith(" "):
            answer(line.split())
            sys.stdout.flush()
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    if os.environ.get("FAKE_LINK_PARSER") == "does not start":
        sys.exit("no dictionary")
    main()
