/** Owns the answer to a command that does not exist: the nearest ones, in the shape of all errors. */
import type { Hook } from '@oclif/core'
import type { LedgerError } from '../../model/errors.js'
import { nearest } from '../../model/suggest.js'
import { failureOf, usageError } from '../command/failure.js'
import { Output } from '../command/output.js'

/** Commands that the hint names, at most. */
const SHOWN = 3
/** Letters that two words share at their beginning to be taken for one another. */
const SAME_START = 3

/** How many words of a command begin like a wanted word. */
const likeness = (wanted: readonly string[], id: string): number =>
  id.split(':').filter((word) => wanted.some((one) => word.slice(0, SAME_START) === one.slice(0, SAME_START))).length

/** Ends the program with exit code 2. Registered in package.json as the hook `command_not_found`. */
export const commandNotFound: Hook.CommandNotFound = async (options) => {
  const wanted = options.id.split(':')
  const ids = options.config.commands.map((one) => one.id)
  const known = wanted.findLastIndex((_, at) => ids.includes(wanted.slice(0, at + 1).join(':'))) + 1
  if (known > 0) {
    const command = wanted.slice(0, known).join(' ')
    const error = usageError(
      `causeway ${command} has no argument \`${wanted.slice(known).join(' ')}\``,
      `causeway ${command} --help`,
    )
    return end(error, options.argv)
  }
  // Words behind a group's name are arguments sooner or later: the first that the group does not have is the wrong one.
  const group = wanted.findLastIndex((_, at) =>
    ids.some((id) => id.startsWith(`${wanted.slice(0, at + 1).join(':')}:`)),
  )
  const meantWords = wanted.slice(0, group + 2)
  const within = ids.filter((id) => group < 0 || id.startsWith(`${wanted.slice(0, group + 1).join(':')}:`))
  const meant = nearest(options.id, within) ?? nearest(meantWords.join(':'), within)
  const alike = within
    .map((id) => ({ id, score: likeness(meantWords, id) }))
    .filter((one) => one.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map((one) => one.id)
  const near = [...new Set(meant === undefined ? alike : [meant, ...alike])]
    .slice(0, SHOWN)
    .map((id) => `causeway ${id.replaceAll(':', ' ')}`)
  end(
    usageError(
      `there is no command \`${meantWords.join(' ')}\``,
      near.length === 0 ? 'causeway --help' : near.join(', '),
    ),
    options.argv,
  )
}

function end(error: LedgerError, argv: readonly string[] = []): never {
  const failure = failureOf(error, '')
  new Output(argv.includes('--json'), false).failed(failure)
  process.exit(failure.exit)
}
