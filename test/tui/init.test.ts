/** The wizard of `init` in a real pseudo-terminal: what it asks, what it never shows, and what is left when one leaves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readKeyFile } from '../../src/files/key-file.js'
import { Terminal } from './terminal.js'

/** Leaves the line empty. */
const ENTER = '\r'
const CTRL_C = '\u0003'
const SECRET = 'open sesame'

let terminal: Terminal
afterEach(() => terminal.close())

function init(words: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Terminal {
  terminal = new Terminal(['init', ...words], 120, 40, env)
  return terminal
}

async function answer(question: RegExp, text: string): Promise<void> {
  await terminal.until(question)
  terminal.press(`${text}\r`)
}

/** Files that the command created in its folder. */
const made = (): string[] => readdirSync(terminal.home).filter((name) => name !== 'tty' && name !== 'pid')

describe('the init wizard', () => {
  test('prompts for all values, shows them, and creates the peer in a folder with its name', async () => {
    init()
    await answer(/Name of this peer \[.+\]:/m, 'bad name!')
    await answer(/visible ASCII[^\n]*\nName of this peer \[.+\]:/, 'bank-a')
    await answer(/Folder of its keys and files \[bank-a\]:/, '')
    await answer(/Role, validator or observer \[validator\]:/, 'observer')
    await answer(/Address at which other peers reach it \[.+:7400\]:/, 'nohost')
    await answer(/expected host:port[^\n]*\nAddress/, 'bank-a.example:7411')
    await answer(/Listen address for links of peers \[0\.0\.0\.0:7411\]:/, '')
    await answer(/Listen address of its gateway for clients \[127\.0\.0\.1:8080\]:/, '127.0.0.1:8099')
    await answer(/Passphrase that encrypts its keys/, SECRET)
    await answer(/Repeat it:/, 'another')
    await answer(/the two entries differ\nPassphrase that encrypts its keys/, SECRET)
    await answer(/the two entries differ(.|\n)*Repeat it:/, SECRET)
    const summary = await terminal.until(/Create this peer, yes or no \[yes\]:/)
    for (const line of [
      /peer +bank-a \(observer\)/,
      /folder +bank-a/,
      /gateway +127\.0\.0\.1:8099/,
      /keys +encrypted with a passphrase/,
    ])
      expect(summary).toMatch(line)
    expect(made()).toEqual([])
    terminal.press(ENTER)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen.text()).not.toContain(SECRET)
    const folder = join(terminal.home, 'bank-a')
    expect(readdirSync(folder).toSorted()).toEqual(['card.json', 'keys', 'node.toml'])
    expect(readFileSync(join(folder, 'node.toml'), 'utf8')).toMatch(/^listen = "0\.0\.0\.0:7411"$/m)
    const key = join(folder, 'keys', 'validator.json')
    expect((await readKeyFile(key, SECRET)).publicKey.algorithm).toBe('bls')
    await expect(readKeyFile(key)).rejects.toMatchObject({ code: 'key_passphrase' })
  })

  test('skips the questions that flags or the passphrase in the environment answer', async () => {
    const words = ['--dir', 'here', '--address', 'a.example:1', '--listen', '0.0.0.0:2', '--gateway-listen', 'b:3']
    init([...words, '--observer'], { CAUSEWAY_KEY_PASSPHRASE: '' })
    await answer(/Name of this peer/, 'auditor')
    const text = await terminal.until(/Create this peer/)
    expect(text).not.toMatch(/Folder of|Role|Address at|Where|Passphrase/)
    expect(text).toMatch(/keys +not encrypted/)
    terminal.press(ENTER)
    expect(await terminal.ended).toBe(0)
    expect(existsSync(join(terminal.home, 'here', 'card.json'))).toBe(true)
  })

  test('prompts for nothing if name and address are given, so that lines can be pasted', async () => {
    init(['--name', 'a', '--address', 'a:1', '--dir', 'a'])
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen.text()).not.toContain('[yes]')
    expect(made()).toEqual(['a'])
  })

  const words = ['--dir', 'peer', '--address', 'a:1', '--listen', 'a:1', '--gateway-listen', 'a:2', '--observer']
  test('writes nothing after the answer no', async () => {
    init(words, { CAUSEWAY_KEY_PASSPHRASE: '' })
    await answer(/Name of this peer/, 'a')
    await answer(/Create this peer/, 'no')
    expect(await terminal.ended).toBe(2)
    expect(terminal.screen.text()).toContain('nothing was written')
    expect(made()).toEqual([])
  })

  test.each([
    ['at a question', /Name of this peer/, ''],
    ['after half an answer', /Name of this peer/, 'ban'],
    ['at the hidden question', /Passphrase/, 'open'],
    ['at the last question', /Create this peer/, ''],
  ])('writes nothing after Ctrl-C %s', async (_where, question, typed) => {
    init(words)
    if (!question.test('Name of this peer')) await answer(/Name of this peer/, 'a')
    if (question.test('Create this peer')) await answer(/Passphrase/, '')
    await terminal.until(question)
    terminal.press(typed + CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen.text()).toContain('Nothing was written.')
    expect(made()).toEqual([])
  })
})
