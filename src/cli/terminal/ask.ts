/** Owns prompts on standard error: wizard questions with defaults, hidden answers, and confirmations on a terminal. */
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { manyLines, oneLine } from '../text/escape.js'
import { usageError } from './failure.js'

/** Prompt for one answer. */
export interface Question {
  readonly text: string
  readonly fallback: string
  /** Fault of an answer, after which the question is repeated. */
  readonly fault?: (answer: string) => string | undefined
}

/** True if questions can be shown and answered. */
export const canAsk = (noInput: boolean): boolean =>
  !noInput && process.stdin.isTTY === true && process.stderr.isTTY === true

/** Ask questions one at a time. */
export class Questions {
  constructor(
    private readonly lines: Interface,
    private readonly echo: Echo,
    private readonly signal: AbortSignal,
  ) {}

  /** Answer, or the default for an empty one. */
  async ask({ text, fallback, fault }: Question): Promise<string> {
    for (;;) {
      const answer = (await this.lines.question(`${text} [${fallback}]: `, { signal: this.signal })).trim() || fallback
      const wrong = fault?.(answer)
      if (wrong === undefined) return answer
      this.print(`  ${wrong}`)
    }
  }

  /** New secret, typed twice and never shown; undefined for none. */
  async askSecret(text: string): Promise<string | undefined> {
    return (await this.secretTwice(`${text} (not shown; empty: none): `)) || undefined
  }

  /** Read a new secret like `askSecret`; an empty one is rejected with the given reason, and the question repeated. */
  async askNeededSecret(text: string, why: string): Promise<string> {
    for (;;) {
      const secret = await this.secretTwice(`${text} (not shown): `)
      if (secret !== '') return secret
      this.print(`  ${why}`)
    }
  }

  private async secretTwice(prompt: string): Promise<string> {
    for (;;) {
      const first = await this.hidden(prompt)
      if (first === '' || (await this.hidden('Repeat it: ')) === first) return first
      this.print('  the two entries differ')
    }
  }

  /** Existing secret, typed once and never shown. */
  askKnownSecret(text: string): Promise<string> {
    return this.hidden(`${text} (not shown): `)
  }

  /** Print a line for the user. */
  print(line: string): void {
    process.stderr.write(`${line}\n`)
  }

  private async hidden(text: string): Promise<string> {
    process.stderr.write(text)
    this.echo.hides = true
    try {
      return await this.lines.question('', { signal: this.signal })
    } finally {
      this.echo.hides = false
      process.stderr.write('\n')
    }
  }
}

/** Prompt on the terminal; undefined if the user leaves with Ctrl-C or Ctrl-D. */
export async function withQuestions<T>(work: (questions: Questions) => Promise<T>): Promise<T | undefined> {
  const echo = new Echo()
  // No history: the arrow keys would restore a secret.
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true, historySize: 0 })
  const left = new AbortController()
  const leave = (): void => left.abort()
  lines.once('SIGINT', leave)
  lines.once('close', leave)
  try {
    return await work(new Questions(lines, echo, left.signal))
  } catch (error) {
    if (!left.signal.aborted) throw error
    process.stderr.write('\n')
    return undefined
  } finally {
    lines.close()
  }
}

/** Standard error, to which typed characters are echoed unless hidden. */
class Echo extends Writable {
  hides = false

  /** Width of the terminal, so that long answers wrap. */
  get columns(): number {
    return process.stderr.columns
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.hides) process.stderr.write(part)
    done()
  }
}

/** Ask for a confirmation word; throws `usage` if no terminal is available or the answer differs. */
export async function confirm(question: string, word: string, noInput: boolean): Promise<void> {
  if (noInput || process.stdin.isTTY !== true)
    throw usageError(`${question}: cannot ask, standard input is not a terminal`, 'Give --yes.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(manyLines(`${question}\nType ${oneLine(word)} to continue:  `))
    if (answer.trim() !== word) throw usageError('not confirmed: nothing was changed')
  } finally {
    lines.close()
  }
}
