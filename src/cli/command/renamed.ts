/** Owns the former names of commands, which work until release 0.3.0. */
import type { Interfaces } from '@oclif/core'

/** Current names of commands by their former names; a group covers all commands in it. */
export const RENAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'block get': 'block show',
    'block tail': 'block watch',
    'conference manifest clear': 'conference manifest remove',
    'conference usage': 'conference record-usage',
    'config validate': 'config check',
    'consensus watch': 'watch',
    'contract new': 'contract create',
    'events tail': 'events watch',
    'genesis inspect': 'genesis show',
    'genesis new': 'genesis create',
    'iso bind submitter': 'iso submitter set',
    'iso hold change': 'iso hold set',
    'lane add': 'lane create',
    'lane dataspace add': 'lane dataspace create',
    'lane dataspace change': 'lane dataspace set',
    'lane envelope get': 'lane envelope show',
    'lane policy default': 'lane policy set-default',
    'ledger account': 'account',
    'ledger account label': 'account relabel',
    'ledger admission': 'domain set-admission',
    'ledger asset': 'asset',
    'ledger domain': 'domain',
    'ledger holder list': 'asset holders',
    'ledger meta': 'metadata',
    'ledger owner': 'ledger set-owner',
    'ledger parameter': 'parameter',
    'ledger peer': 'peer',
    'ledger permission': 'permission',
    'ledger sponsor': 'account sponsor',
    'ledger statement': 'account statement',
    'ledger transfer': 'asset transfer',
    'ledger tx list': 'tx list',
    'multisig policy': 'multisig propose-policy',
    'name account': 'name set-account',
    'name manager': 'name set-manager',
    'name primary': 'name set-primary',
    'name record': 'name set-record',
    'node check': 'doctor --files',
    'notify devices': 'notify list',
    'profile add': 'profile create',
    'snapshot make': 'snapshot create',
    'staking update': 'staking set',
    'telemetry live': 'telemetry watch',
    'topology new': 'topology create',
    'trigger change': 'trigger set',
    'tx get': 'tx show',
    'webhook add': 'webhook create',
    'zk vk update': 'zk vk set',
  }),
)

/** Number of words in the longest former name. */
const WORDS_MAX = 3

/**
 * Former and current name at the beginning of a command line, and its current words; undefined for any other command
 * line.
 */
export function renamed(words: readonly string[]) {
  for (let length = Math.min(WORDS_MAX, words.length); length > 1; length -= 1) {
    const old = words.slice(0, length).join(' ')
    const now = RENAMED.get(old)
    if (now !== undefined) return { old, now, words: [...now.split(' '), ...words.slice(length)] }
  }
  return undefined
}

/**
 * Run a command line that begins with a former name, after a notice on standard error. False if it does not begin with
 * one.
 */
export async function runRenamed(config: Interfaces.Config, line: readonly string[]): Promise<boolean> {
  const found = renamed(line)
  if (found === undefined) return false
  const { old, now, words } = found
  for (let length = Math.min(WORDS_MAX, words.length); length > 0; length -= 1) {
    const id = words.slice(0, length).join(':')
    if (!config.commandIDs.includes(id)) continue
    process.stderr.write(`causeway: \`${old}\` is now \`${now}\`. The former name works until release 0.3.0.\n`)
    await config.runCommand(id, words.slice(length))
    return true
  }
  return false
}
