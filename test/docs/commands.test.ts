/** Every command that a page writes exists, with every flag that it is given. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from './blocks.js'

interface Flag {
  readonly char?: string
  readonly type: 'boolean' | 'option'
}
interface Command {
  readonly flags: Readonly<Record<string, Flag>>
  readonly args: Readonly<Record<string, unknown>>
  /** False: takes any number of words. */
  readonly strict?: boolean
  readonly aliases?: readonly string[]
}
const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, Command>>
}
const byWords = new Map(
  Object.entries(commands).flatMap(([id, command]) =>
    [id, ...(command.aliases ?? [])].map((name) => [name.replaceAll(':', ' '), command] as const),
  ),
)

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== join('generated', 'commands.md'))
    .map((name) => join('docs', name)),
]

/** Commands of the fenced blocks and of the code spans of a page, each as its words. */
function commandsOf(page: string): string[][] {
  const text = readFileSync(page, 'utf8').replaceAll('\\\n', ' ')
  const blocks = ['sh', 'console'].flatMap((language) => blocksOf(text, language)).flatMap((block) => block.split('\n'))
  const spans = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`(causeway [^`]+)`/g)].map(
    ([, span = '']) => span,
  )
  return [...blocks, ...spans]
    .flatMap((line) => line.replace(/\s#.*$/, '').split(/\||&&|;|\$\(/))
    .map((part) => /(?:^|\s)(?:npx )?causeway ([a-z].*)$/.exec(part.replaceAll(/'[^']*'|"[^"]*"/g, 'TEXT'))?.[1])
    .filter((words) => words !== undefined)
    .map((words) => words.trim().split(/\s+/))
}

/** Fault of a command as written; undefined if it has none. */
function faultOf(words: readonly string[]): string | undefined {
  // `get|tail` in a sentence, `TOPIC` for any of them, and a topic alone name no single command.
  const plain = words.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word))
  const names = plain < 0 ? words : words.slice(0, plain)
  const count = names.findLastIndex((_, at) => byWords.has(names.slice(0, at + 1).join(' '))) + 1
  const command = byWords.get(names.slice(0, count).join(' '))
  if (command === undefined) {
    const isTopic = [...byWords.keys()].some((known) => known.startsWith(`${names[0] ?? ''} `))
    return names.length <= 2 && isTopic ? undefined : `there is no command ${names.join(' ')}`
  }
  let left = command.strict === false ? Number.POSITIVE_INFINITY : Object.keys(command.args).length
  let isValue = false
  for (const word of words.slice(count)) {
    // A redirection belongs to the shell, and so does what follows.
    if (/^\d?[<>&]/.test(word)) return undefined
    if (isValue) {
      isValue = false
      continue
    }
    const [, name, short, value] = /^(?:--([a-z][a-z0-9-]*)|-([a-zA-Z]))(=.*)?$/.exec(word) ?? []
    if (name === undefined && short === undefined) {
      left -= 1
      if (left < 0 && !isSketch(word)) return `one word too many, ${word}`
      continue
    }
    const flag = flagOf(command, name, short)
    if (flag === undefined) return `no flag ${word}`
    isValue = flag.type === 'option' && value === undefined
  }
  return undefined
}

/** `...`, `[--more]`: stands for what the page leaves out. */
const isSketch = (word: string): boolean => /^(\.\.\.|…|\[.*)$/.test(word)

const HELP: Flag = { type: 'boolean' }

function flagOf({ flags }: Command, name: string | undefined, short: string | undefined): Flag | undefined {
  if (name === undefined) return Object.values(flags).find(({ char }) => char === short)
  if (name === 'help' || name === 'version') return HELP
  return flags[name] ?? flags[name.replace(/^no-/, '')]
}

describe('documentation pages', () => {
  test.each(pages)('%s uses only existing commands', (page) => {
    const faults = commandsOf(page).flatMap((words) => {
      const fault = faultOf(words)
      return fault === undefined ? [] : [`${fault}: causeway ${words.join(' ')}`]
    })
    expect(faults).toEqual([])
  })

  test('contain many commands, and the check detects a wrong one', () => {
    expect(pages.flatMap(commandsOf).length).toBeGreaterThan(100)
    expect(faultOf(['block', 'exprot', 'file'])).toContain('there is no command')
    expect(faultOf(['block', 'export', 'file', '--form', '1'])).toBe('no flag --form')
    expect(faultOf(['localnet', 'up', '--no-faults', '--json'])).toBeUndefined()
    expect(faultOf(['iso', 'hold', 'list'])).toContain('one word too many')
    expect(faultOf(['iso', 'hold', '--gateway', 'list'])).toBeUndefined()
    expect(faultOf(['status', 'now', '>', 'file'])).toContain('one word too many')
    expect(faultOf(['status', '>', 'file'])).toBeUndefined()
  })
})
