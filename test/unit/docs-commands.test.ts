/** Commands that pages and texts of the program name exist, with the flags that they are given there. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Command {
  readonly aliases: readonly string[]
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly allowNo?: boolean }>>
}
const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, Command>>
}
/** Commands by their words; aliases too. */
const byWords = new Map(
  Object.entries(commands).flatMap(([id, command]) =>
    [id, ...command.aliases].map((name): [string, Command] => [name.replaceAll(':', ' '), command]),
  ),
)
/** Groups of commands by their words, such as `asset`. */
const groups = new Set(
  [...byWords.keys()].flatMap((words) => {
    const parts = words.split(' ')
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join(' '))
  }),
)

/** `a|b` in a text stands for both: every text that is meant. */
function meant(text: string): string[] {
  const found = /(?<![\w$])[a-z0-9-]+(?:\|[a-z0-9-]+)+/.exec(text)
  if (found === null) return [text]
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
  return found[0].split('|').flatMap((one) => meant(`${before}${one}${after}`))
}

/** Fault of a line that a reader would type after `causeway`. */
function faultOf(line: string): string | undefined {
  // Arguments after `--` belong to another program.
  const [typed = ''] = line.split(/ -- | \| |[;&>)]|…/)
  const words = typed.trim().split(/\s+/)
  const plain = words.slice(0, words.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word)) >>> 0)
  if (plain.length === 0 || ['help', 'COMMAND'].includes(plain[0] ?? '')) return undefined
  const length = [4, 3, 2, 1].find((count) => byWords.has(plain.slice(0, count).join(' ')))
  const command = length === undefined ? undefined : byWords.get(plain.slice(0, length).join(' '))
  if (command === undefined) return groups.has(plain.join(' ')) ? undefined : `no command: ${line}`
  const names = Object.entries(command.flags).flatMap(([name, { allowNo }]) =>
    allowNo ? [name, `no-${name}`] : [name],
  )
  const unknown = [...typed.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)]
    .map(([, flag = '']) => flag)
    .filter((flag) => flag !== 'help' && !names.includes(flag))
  return unknown.length === 0 ? undefined : `no flag --${unknown.join(', --')}: ${line}`
}

const files = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths])
    .toString()
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))
/** Lines of blocks of code that begin with the program, and what is between backticks. */
const linesOf = (text: string): string[] =>
  [
    ...text
      .replaceAll(/\\\n\s*/g, '')
      .matchAll(/(?:^|[`$#(|&]|-- | do |\b(?:until|if)) ?(?:npx )?causeway ((?:[a-z][a-z0-9|-]*)(?: [^`\n]*)?)/gm),
  ].map(([, line = '']) => line)

const faultsIn = (file: string, lines: readonly string[]): string[] =>
  lines.flatMap(meant).flatMap((line) => {
    const fault = faultOf(line)
    return fault === undefined ? [] : [`${file}: ${fault}`]
  })

describe('documented commands and their flags', () => {
  it('exist if a page names them', () => {
    const pages = files('*.md').filter((page) => !page.startsWith('docs/decisions/') && page !== 'CHANGELOG.md')
    const lines = pages.map((page) => [page, linesOf(readFileSync(page, 'utf8'))] as const)
    expect(lines.flatMap(([, found]) => found).length).toBeGreaterThan(500)
    expect(lines.flatMap(([page, found]) => faultsIn(page, found))).toEqual([])
  })

  it('exist if a hint, a help text or a message names them', () => {
    const sources = files('src', 'commands').filter((file) => /\.tsx?$/.test(file))
    const named = (text: string): string[] =>
      [...text.matchAll(/`causeway ([a-z][^`$\\\n]*)`/g)].map(([, line = '']) => line)
    const lines = sources.map((file) => [file, named(readFileSync(file, 'utf8'))] as const)
    expect(lines.flatMap(([, found]) => found).length).toBeGreaterThan(100)
    expect(lines.flatMap(([file, found]) => faultsIn(file, found))).toEqual([])
  })

  it('exist if a template names them', () => {
    const lines = files('templates').map((file) => [file, linesOf(readFileSync(file, 'utf8'))] as const)
    expect(lines.flatMap(([file, found]) => faultsIn(file, found))).toEqual([])
  })
})
