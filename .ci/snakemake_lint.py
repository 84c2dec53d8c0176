"""``snakemake --lint``, less what it asks without sense here; each exception is named with its reason."""

import json
import subprocess
import sys

WITHOUT_SENSE = {
    "Specify a conda environment or container for each rule.": (
        "the rules run in the controller's environment, which the lock pins; the environments of labs are "
        "built by a rule, because one that cannot be built is an outcome and must not end the workflow"
    ),
}


def main() -> int:
    """Run the linter and print what is left; the exit status says whether anything is."""
    done = subprocess.run(
        ["snakemake", "--lint", "json"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    start = done.stdout.find("{")
    if start < 0:
        print(done.stdout + done.stderr)
        return done.returncode
    report = json.loads(done.stdout[start:])
    found = []
    passed_over: dict[str, int] = {}
    for place in (*report["snakefiles"], *report["rules"]):
        for lint in place["lints"]:
            if lint["title"] in WITHOUT_SENSE:
                passed_over[lint["title"]] = passed_over.get(lint["title"], 0) + 1
            else:
                where = place.get("rule") or place.get("snakefile") or place.get("for") or place
                found.append(f"{where}: {lint['title']}\n    {lint['body']}")
    for title, count in passed_over.items():
        print(f'passed over {count} times: "{title}" because {WITHOUT_SENSE[title]}')
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
