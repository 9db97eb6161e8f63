/** Every command of the manifest: a help page with an example, and one error shape and exit code in both forms. */
import { readFileSync } from 'node:fs'
import { Config, Help } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runHere } from './in-process.js'

const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Record<string, { readonly description: string; readonly aliases?: readonly string[] }>
}
const ids = Object.keys(manifest.commands)

/** Help at a fixed width, whatever terminal the tests run in. */
class PlainHelp extends Help {
  page(id: string): string {
    return this.formatCommand(this.config.findCommand(id, { must: true }))
  }
}

/** A text without the ends of lines that a width makes. */
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')

let config: Config
beforeAll(async () => {
  // As bin/run.js does: the framework warns developers otherwise.
  vi.stubEnv('NODE_ENV', 'production')
  config = await Config.load(process.cwd())
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe.each(ids)('%s', (id) => {
  test('has help with a description and an example', () => {
    const page = new PlainHelp(config, { stripAnsi: true, maxWidth: 100 }).page(id)
    const words = id.replaceAll(':', ' ')
    const { description = '', aliases = [] } = manifest.commands[id] ?? {}
    const names = [words, ...aliases.map((alias) => alias.replaceAll(':', ' '))]
    expect(names.some((name) => page.includes(`causeway ${name}`))).toBe(true)
    expect(page).toContain('EXAMPLES')
    expect(unwrapped(page)).toContain(unwrapped(description.split('\n')[0] ?? ''))
  })

  test('refuses an unknown flag with exit code 2, as JSON and as text', async () => {
    const json = await runHere(config, id, ['--no-such-flag', '--json'])
    expect(json).toMatchObject({ code: 2, stderr: '' })
    const { error } = JSON.parse(json.stdout) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ code: 'usage', exit: 2 })
    expect(error.message).toContain('--no-such-flag')
    expect(Object.keys(error).toSorted()).toEqual(['code', 'exit', 'hint', 'message'])
    const text = await runHere(config, id, ['--no-such-flag'])
    expect(text).toMatchObject({ code: 2, stdout: '' })
    expect(text.stderr).toContain('[usage]')
    expect(text.stderr).toContain(String(error.hint))
  })
})
