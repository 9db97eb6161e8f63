/** Owns the error for a command that does not exist: it names the closest commands, in the format of all errors. */
import type { Interfaces } from '@oclif/core'
import type { LedgerError } from '../../model/errors.js'
import { nearest } from '../../model/suggest.js'
import { failureOf, usageError } from '../terminal/failure.js'
import { Output } from '../terminal/output.js'

/** Maximum commands in the hint. */
const SHOWN = 3
/** Length of a common prefix from which two words count as similar. */
const SAME_START = 3

/** Number of words of a command that are similar to a wanted word. */
const likeness = (wanted: readonly string[], id: string): number =>
  id.split(':').filter((word) => wanted.some((one) => word.slice(0, SAME_START) === one.slice(0, SAME_START))).length

/** Error for an unknown command; `id`: its words separated by `:`. */
export function unknownCommand(config: Pick<Interfaces.Config, 'commands'>, id: string): LedgerError {
  const wanted = id.split(':')
  const ids = config.commands.map((one) => one.id)
  const known = wanted.findLastIndex((_, at) => ids.includes(wanted.slice(0, at + 1).join(':'))) + 1
  if (known > 0) {
    const command = wanted.slice(0, known).join(' ')
    const rest = wanted.slice(known).join(' ')
    return usageError(`causeway ${command} does not accept the argument \`${rest}\``, `causeway ${command} --help`)
  }
  // Words after a group name may be arguments: the first word that the group does not have is the wrong one.
  const group = wanted.findLastIndex((_, at) =>
    ids.some((one) => one.startsWith(`${wanted.slice(0, at + 1).join(':')}:`)),
  )
  const meantWords = wanted.slice(0, group + 2)
  const within = ids.filter((one) => group < 0 || one.startsWith(`${wanted.slice(0, group + 1).join(':')}:`))
  const meant = nearest(id, within) ?? nearest(meantWords.join(':'), within)
  const alike = within
    .map((one) => ({ id: one, score: likeness(meantWords, one) }))
    .filter((one) => one.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map((one) => one.id)
  const near = [...new Set(meant === undefined ? alike : [meant, ...alike])]
    .slice(0, SHOWN)
    .map((one) => `causeway ${one.replaceAll(':', ' ')}`)
  const hint = near.length === 0 ? 'causeway --help' : near.join(', ')
  return usageError(`unknown command \`${meantWords.join(' ')}\``, hint)
}

/** Print an error in the format of commands, and end the program with its exit code. */
export function endWith(error: LedgerError, argv: readonly string[]): never {
  const failure = failureOf(error, '')
  new Output(argv.includes('--json'), false).failed(failure)
  process.exit(failure.exit)
}
