/** Owns the questions of a wizard: asked on standard error, one line each, with a default. */
import { createInterface } from 'node:readline/promises'

/** One question. */
export interface Question {
  readonly text: string
  readonly fallback: string
  /** What is wrong with an answer; it is asked again. */
  readonly fault?: (answer: string) => string | undefined
}

/** True when somebody can answer. */
export const canAsk = (noInput: boolean): boolean => !noInput && process.stdin.isTTY === true

/** Asks the questions in order; the answers in the same order. */
export async function ask(questions: readonly Question[]): Promise<string[]> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answers: string[] = []
  try {
    for (const { text, fallback, fault } of questions) {
      for (;;) {
        const answer = (await lines.question(`${text} [${fallback}]: `)).trim() || fallback
        const wrong = fault?.(answer)
        if (wrong === undefined) {
          answers.push(answer)
          break
        }
        process.stderr.write(`  ${wrong}\n`)
      }
    }
  } finally {
    lines.close()
  }
  return answers
}
