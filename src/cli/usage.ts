/** The words of --help. Pure data. */

const EXIT_CODES = `Exit codes
  0  ok
  1  the operator, an upstream or the network must act
  2  wrong usage or configuration; nothing was sent
  3  the caller must act: key, balance, quota, permission, request or address
  4  wait and try later
`;

export const PROGRAM_USAGE = `Gatepulse says what is wrong with a model gateway, who must act, and when to try again.

Usage
  gatepulse probe <baseUrl> [--key-env NAME] [--insecure-http] [--json]
  gatepulse check [FILE]
  gatepulse <command> --help
  gatepulse --version

Commands
  probe  asks a gateway for its models once, from this machine
  check  validates a configuration and prints every fault

${EXIT_CODES}`;

export const PROBE_USAGE = `Usage: gatepulse probe <baseUrl> [options]

Sends GET <baseUrl>/v1/models, at most 4 times, and says what the answer means. Nothing is generated.
The base address does not hold /v1 itself. The key is never an argument: it comes from the environment
or from standard input.

Options
  --key-env NAME   the environment variable that holds the key (default GATEWAY_API_KEY; if that is not
                   set, the key is read from standard input)
  --insecure-http  allow plain http to a public host: the key then travels unencrypted
  --json           print one JSON object
  -h, --help       print this

Examples
  GATEWAY_API_KEY=... gatepulse probe https://api.example.com
  gatepulse probe https://api.example.com --json < key.txt

The causes that it names are explained in docs/causes.md, the rules in docs/rules.md.

${EXIT_CODES}`;

export const CHECK_USAGE = `Usage: gatepulse check [FILE]

Validates a configuration (default ./gatepulse.config.ts; a .json file of the same shape serves too) and
prints every fault with its path and its mend, how many requests a day canaries may send, and what was
probably not meant. Sends nothing and prints no secret: of those that the configuration names it says
which are not set on this machine (.dev.vars beside it, or the environment).

Options
  -h, --help  print this

Exit codes
  0  the configuration is valid
  2  it has faults, or cannot be read
`;
