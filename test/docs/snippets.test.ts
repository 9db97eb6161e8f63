/** Every block of code in the pages is run or read by what it is written for. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { EVENT_SUBSCRIPTION_FRAME } from '../../src/api/index.js'
import { formatAddress } from '../../src/model/index.js'
import { parseNodeConfig } from '../../src/node/config/index.js'
import { blockAt, moved } from '../unit/gateway/fake-chain.js'
import { accountOf, alice, CODEC, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { blocksOf, SESSIONS } from './blocks.js'

const ROOT = process.cwd()
const DRILLS = join('test', 'e2e', 'drills')
const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const all = (language: string) =>
  pages.flatMap((page) => blocksOf(readFileSync(page, 'utf8'), language).map((text) => ({ page, text })))

it('a code block is the text between the fences of a language', () => {
  expect(blocksOf('a\n```sh\nb\n```\n```text\nc\n```\n```sh\nd\n```\n', 'sh')).toEqual(['b\n', 'd\n'])
})

it('every shell block is on a page that the tests run, or in a section that a drill test covers', () => {
  const run = new Set(SESSIONS.flat())
  const tests = readdirSync(DRILLS).filter((name) => name.endsWith('.test.ts'))
  const drills = tests.map((name) => readFileSync(join(DRILLS, name), 'utf8')).join('\n')
  const isFollowed = (page: string, heading: string): boolean =>
    page.startsWith('docs/operate/drills/') &&
    drills.includes(`'${basename(page, '.md')}'`) &&
    drills.includes(`'${heading}'`)
  const unread = pages
    .filter((page) => !run.has(page))
    .flatMap((page) => {
      const [, ...sections] = `\n${readFileSync(page, 'utf8')}`.split(/\n#+ /)
      const withBlocks = sections.filter((section) => blocksOf(section, 'sh').length > 0)
      return withBlocks.map((section) => ({ page, heading: section.split('\n')[0] ?? '' }))
    })
    .filter(({ page, heading }) => !isFollowed(page, heading))
  expect(unread).toEqual([])
})

it('every block has a language, and blocks that are not run contain only output or sketches', () => {
  const languages = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, fence]) => fence),
  )
  expect([...new Set(languages)].toSorted()).toEqual(['console', 'json', 'nginx', 'sh', 'text', 'toml', 'ts'])
})

it('every configuration snippet is valid', () => {
  const blocks = all('toml')
  expect(blocks.length).toBeGreaterThan(1)
  for (const { text } of blocks) {
    expect(() => parseNodeConfig(`[genesis]\nhash = "${'a'.repeat(64)}"\n${text}`, '/net/node.toml')).not.toThrow()
  }
})

it('the subscription on the streams page is valid', () => {
  const [text = ''] = all('json').flatMap((block) => (block.text.startsWith('{"filters"') ? [block.text] : []))
  const start = Buffer.from(text.replaceAll('cw1…', formatAddress(accountOf(alice))))
  expect(EVENT_SUBSCRIPTION_FRAME.schema.parseJson(start, CODEC)).toMatchObject({
    ok: true,
    value: { filters: [{ account: accountOf(alice), category: 'data' }], after: '12.1' },
  })
})

it('the program on the client page prints the transfers of a node', async () => {
  const program = all('ts').find(({ page }) => page === join('docs', 'reference', 'client.md'))
  const node = new FakeNode()
  const gateway = gatewayOf(node, { telemetryProfile: 'full' })
  const folder = await mkdtemp(join(tmpdir(), 'causeway-snippet-'))
  try {
    const { url } = await gateway.listen()
    await mkdir(join(folder, 'node_modules'))
    await symlink(ROOT, join(folder, 'node_modules', 'causeway'))
    const file = join(folder, 'program.mjs')
    await writeFile(file, program!.text.replace('http://127.0.0.1:8080', url))
    node.commit(await blockAt(8, [[moved(5n)]]))
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<never>((_, reject) =>
      child.once('exit', (code) => reject(new Error(`ended with ${code}`))),
    )
    const line = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
    await expect(Promise.race([line, ended])).resolves.toMatch(/^8\.0 /)
    ended.catch(() => undefined)
    child.kill('SIGKILL')
  } finally {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  }
})
