/** Owns the answer to a command that does not exist: the nearest ones, in the shape of all errors. */
import type { Hook } from '@oclif/core'
import { LedgerError } from '../../model/errors.js'
import { failureOf } from '../failure.js'
import { Output } from '../output.js'

/** Commands that an error names. */
const SHOWN = 3

/** True for words that share their beginning, or one of whose words is the same. */
function isNear(wanted: readonly string[], known: readonly string[]): boolean {
  return known.some(
    (word, at) => word.startsWith((wanted[at] ?? '').slice(0, 3)) && wanted[at] !== undefined && at === 0,
  )
}

const hook: Hook.CommandNotFound = async (options) => {
  const wanted = options.id.split(':')
  const near = options.config.commands
    .filter((one) => !one.hidden && isNear(wanted, one.id.split(':')))
    .map((one) => one.id.replaceAll(':', ' '))
    .slice(0, SHOWN)
  const error = new LedgerError('usage', `there is no command ${wanted.join(' ')}`, {
    hint: near.length === 0 ? 'causeway --help' : near.map((id) => `causeway ${id}`).join(', '),
  })
  const argv = options.argv ?? []
  const failure = failureOf(error, '')
  new Output(argv.includes('--json'), false).failed(failure)
  process.exit(failure.exit)
}

export default hook
