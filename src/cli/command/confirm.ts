/** Owns questions: asked on standard error, and only where somebody can answer. */
import { createInterface } from 'node:readline/promises'
import { usageError } from './failure.js'

/** Asks for the wanted word; throws `usage` when nobody can answer or the answer is another. */
export async function confirm(question: string, word: string, noInput: boolean): Promise<void> {
  if (noInput || process.stdin.isTTY !== true)
    throw usageError(`${question}: standard input is not a terminal`, 'Give --yes.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question}\nType ${word} to continue:  `)
    if (answer.trim() !== word) throw usageError('not confirmed: nothing was changed')
  } finally {
    lines.close()
  }
}
