/** Owns `causeway help`: commands and groups by oclif, and the program's own topics. */
import { Help, type Interfaces } from '@oclif/core'
import { EXIT } from '../../model/errors.js'
import { usageError } from '../terminal/failure.js'
import { pairs } from '../terminal/output.js'

/** Meaning of each exit code (docs/design/cli.md 3). */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'the object does not exist, or the action failed',
  usage: 'the arguments or flags of the command are invalid',
  config: 'configuration, profiles, keys or files on this machine are missing or invalid',
  badInput: 'the input is malformed or invalid',
  unreachable: 'the node does not respond or is overloaded: retry',
  rejected: 'the ledger rejected the transaction',
  internal: 'a bug in this program',
  pending: 'not committed within the timeout; it may still be committed',
  notAuthorised: 'the credential is missing or not sufficient',
  checkFailed: 'a check found a fault',
}

/** Environment variables of commands. */
export const VARIABLES: Readonly<Record<string, string>> = {
  CAUSEWAY_GATEWAY: 'URL of the node, like --gateway',
  CAUSEWAY_KEY_FILE: 'signing key, like --key-file',
  CAUSEWAY_SIGNER_COMMAND: 'program that holds the signing key, like --signer-command',
  CAUSEWAY_KEY_PASSPHRASE: 'passphrase of encrypted key files',
  CAUSEWAY_SHARE_PASSPHRASE_N: 'passphrase of share N of a key, for key split and key combine without a terminal',
  CAUSEWAY_TIMEOUT: 'maximum wait, like --timeout',
  CAUSEWAY_PROFILE: 'profile, like --profile',
  CAUSEWAY_LOCALNET: 'folder of the local network, like --dir',
  CAUSEWAY_SINK_URL: 'database URL of a sink; may contain the password',
  CAUSEWAY_API_TOKEN: 'API token that is sent with every request',
  CAUSEWAY_NODE__SECTION__KEY: 'a key of node.toml, for node start and doctor: CAUSEWAY_NODE__LOG__LEVEL=debug',
  CAUSEWAY_MOUNTED_KEYS:
    '1: key files are mounted by a container platform, as links or as files of root with group read permission',
  CAUSEWAY_BLS_BACKEND: 'noble: do not use the native BLS library',
  CAUSEWAY_ED25519_BACKEND: 'node: do not use the native Ed25519 library',
  CAUSEWAY_DEBUG: 'if set, a bug prints its stack trace',
  NO_COLOR: 'if not empty, output has no colours, like --no-color',
}

const TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    [
      'Exit codes; the same with and without --json.',
      '',
      pairs([
        ...Object.entries(EXIT).map(([name, code]): [string, string] => [
          String(code),
          EXIT_MEANINGS[name as keyof typeof EXIT],
        ]),
        ['130, 143', 'interrupted (SIGINT), terminated (SIGTERM)'],
      ]),
    ].join('\n'),
  environment: () =>
    [
      'Variables. A flag overrides them; they override the project file, the profile and the local network:',
      '`causeway config explain KEY` shows the value in effect.',
      '',
      pairs(Object.entries(VARIABLES)),
    ].join('\n'),
}

/** Help of oclif as a text instead of printed output. */
class CollectedHelp extends Help {
  readonly lines: string[] = []

  protected override log(...lines: string[]): void {
    this.lines.push(...lines)
  }
}

/** Help of a command, group or topic. Throws a usage error for unknown words. */
export async function helpText(config: Interfaces.Config, words: readonly string[]): Promise<string> {
  const topic = TOPICS[words.join('-') === 'env' ? 'environment' : words.join('-')]
  if (topic !== undefined) return topic()
  const id = words.join(':')
  const isKnown = id === '' || config.findCommand(id) !== undefined || config.findTopic(id) !== undefined
  if (!isKnown) throw usageError(`no help for \`${words.join(' ')}\``, 'causeway help')
  const help = new CollectedHelp(config, config.pjson.oclif.helpOptions ?? {})
  await help.showHelp([...words])
  return help.lines.join('\n').trimEnd()
}
