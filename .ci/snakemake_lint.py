"""``snakemake --lint``, less what it asks without sense here; each exception is named with its reason."""

import re
import subprocess
import sys

WITHOUT_SENSE = {
    "Specify a conda environment or container for each rule.": (
        "the rules run in the controller's environment, which the lock pins; the environments of labs are "
        "built by a rule, because one that cannot be built is an outcome and must not end the workflow"
    ),
}
PLACE = re.compile(r"^Lints for (.+):$")
LINT = re.compile(r"^    \* (.+?):?$")


def main() -> int:
    """Run the linter and print what is left; the exit status says whether anything is."""
    done = subprocess.run(
        ["snakemake", "--lint"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    text = done.stdout + done.stderr
    place, left, passed_over = "", [], dict.fromkeys(WITHOUT_SENSE, 0)
    for line in text.splitlines():
        if found := PLACE.match(line):
            place = found[1]
        elif found := LINT.match(line):
            if found[1] in passed_over:
                passed_over[found[1]] += 1
            else:
                left.append(f"{place}: {found[1]}")
    if done.returncode and not left and not any(passed_over.values()):
        print(text)
        return done.returncode
    for title, count in passed_over.items():
        print(f'passed over {count} times: "{title}" because {WITHOUT_SENSE[title]}')
    print("\n".join(left))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
