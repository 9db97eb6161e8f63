/** Owns where the passphrases of shares come from: the environment, else their holders, one after the other, at the terminal. */
import { SHARE_PASSPHRASE_ENV } from '../../files/passphrase.js'
import { LedgerError } from '../../model/errors.js'
import { canAsk, type Questions, withQuestions } from '../command/ask.js'
import { usageError } from '../command/failure.js'

const ENDS = {
  seal: (questions: Questions, name: string) =>
    questions.askNeededSecret(`Passphrase that seals ${name}`, 'a share is sealed: it needs one'),
  open: (questions: Questions, name: string) => questions.askKnownSecret(`Passphrase of ${name}`),
} as const

/** The passphrases of the shares with these numbers, to seal or to open them. Throws `usage` when nobody can be asked. */
export async function sharePassphrases(
  numbers: readonly number[],
  end: keyof typeof ENDS,
  noInput: boolean,
): Promise<string[]> {
  const known = new Map(numbers.map((number) => [number, process.env[`${SHARE_PASSPHRASE_ENV}${number}`] || undefined]))
  const asked = numbers.filter((number) => known.get(number) === undefined)
  if (asked.length > 0) {
    if (!canAsk(noInput)) {
      const names = asked.map((number) => `${SHARE_PASSPHRASE_ENV}${number}`).join(', ')
      throw usageError(`no passphrase of share ${asked.join(', ')}`, `Use a terminal, or set ${names}.`)
    }
    const answered = await withQuestions(async (questions) => {
      for (const number of asked) known.set(number, await ENDS[end](questions, `share ${number}`))
      return true
    })
    if (answered === undefined) throw new LedgerError('key_passphrase', 'no passphrase was given: nothing was written')
  }
  return numbers.map((number) => known.get(number) ?? '')
}
