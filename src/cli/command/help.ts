/** Owns the help that is asked for by words: commands and groups by oclif, topics of our own. */
import { Help, type Interfaces } from '@oclif/core'
import { EXIT } from '../../model/errors.js'
import { usageError } from './failure.js'
import { pairs } from './output.js'

/** What each exit code says (docs/design/cli.md 3). */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'failed: the object was not found, or the action did not succeed',
  usage: 'the arguments or flags of the command are wrong',
  config: 'configuration, keys or files of this machine are wrong',
  badInput: 'the input is malformed or invalid',
  unreachable: 'the node did not answer or is full: try again',
  rejected: 'the ledger rejected the transaction',
  internal: 'a bug of this program',
  pending: 'not committed within the time to wait; it may still be',
  notAuthorised: 'the credential is missing or may not do this',
  checkFailed: 'a check found a fault',
}

/** Variables of the environment that commands read. */
export const VARIABLES: Readonly<Record<string, string>> = {
  CAUSEWAY_GATEWAY: 'URL of the node, like --gateway',
  CAUSEWAY_KEY_FILE: 'key that signs, like --key-file',
  CAUSEWAY_SIGNER_COMMAND: 'program that holds the key that signs, like --signer-command',
  CAUSEWAY_KEY_PASSPHRASE: 'passphrase of sealed key files',
  CAUSEWAY_SHARE_PASSPHRASE_N: 'passphrase of share N of a key, for key split and key combine without a terminal',
  CAUSEWAY_TIMEOUT: 'longest wait, like --timeout',
  CAUSEWAY_PROFILE: 'profile, like --profile',
  CAUSEWAY_LOCALNET: 'folder of the local network, like --dir',
  CAUSEWAY_SINK_URL: 'database that a sink writes to; it may hold the password',
  CAUSEWAY_API_TOKEN: 'API token that is sent with every request',
  CAUSEWAY_NODE__SECTION__KEY: 'a key of node.toml, for node start and node check: CAUSEWAY_NODE__LOG__LEVEL=debug',
  CAUSEWAY_MOUNTED_KEYS: '1: a container platform mounts key files, as links or as files of root that a group may read',
  CAUSEWAY_BLS_BACKEND: 'noble: do without the native BLS library',
  CAUSEWAY_ED25519_BACKEND: 'node: do without the native Ed25519 library',
  CAUSEWAY_DEBUG: 'when set, a bug prints its stack',
  NO_COLOR: 'when not empty, nothing is coloured, like --no-color',
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
        ['130, 143', 'interrupted (SIGINT), ended (SIGTERM)'],
      ]),
    ].join('\n'),
  environment: () =>
    [
      'Variables. A flag is stronger; the project file, the profile and the local network are weaker:',
      '`causeway config explain KEY` shows which one applies.',
      '',
      pairs(Object.entries(VARIABLES)),
    ].join('\n'),
}

/** oclif's help as a text instead of a print. */
class CollectedHelp extends Help {
  readonly lines: string[] = []

  protected override log(...lines: string[]): void {
    this.lines.push(...lines)
  }
}

/** The help of these words. Throws a usage error for words that are neither command, group nor topic. */
export async function helpText(config: Interfaces.Config, words: readonly string[]): Promise<string> {
  const topic = TOPICS[words.join('-') === 'env' ? 'environment' : words.join('-')]
  if (topic !== undefined) return topic()
  const id = words.join(':')
  const isKnown = id === '' || config.findCommand(id) !== undefined || config.findTopic(id) !== undefined
  if (!isKnown) throw usageError(`there is no help about \`${words.join(' ')}\``, 'causeway help')
  const help = new CollectedHelp(config, config.pjson.oclif.helpOptions ?? {})
  await help.showHelp([...words])
  return help.lines.join('\n').trimEnd()
}
