/** Owns the passphrases of shares: from the environment, else prompted for at the terminal, one after the other. */
import { SHARE_PASSPHRASE_ENV } from '../../files/passphrase.js'
import { LedgerError } from '../../model/errors.js'
import { canAsk, type Questions, withQuestions } from '../terminal/ask.js'
import { usageError } from '../terminal/failure.js'

const ENDS = {
  seal: (questions: Questions, name: string) =>
    questions.askNeededSecret(`Passphrase that seals ${name}`, 'the share is encrypted: it needs a passphrase'),
  open: (questions: Questions, name: string) => questions.askKnownSecret(`Passphrase of ${name}`),
} as const

/**
 * Passphrases of the shares with these numbers, to encrypt or decrypt them. Throws `usage` if no terminal is available.
 */
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
      throw usageError(`no passphrase for share ${asked.join(', ')}`, `Use a terminal, or set ${names}.`)
    }
    const answered = await withQuestions(async (questions) => {
      for (const number of asked) known.set(number, await ENDS[end](questions, `share ${number}`))
      return true
    })
    if (answered === undefined) throw new LedgerError('key_passphrase', 'no passphrase was given: nothing was written')
  }
  return numbers.map((number) => known.get(number) ?? '')
}
