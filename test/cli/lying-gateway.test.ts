/** Every command against gateways that lie: it ends, says that this is no gateway, and nothing of the lie reaches the terminal. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildTransaction, signTransaction } from '../../src/client/index.js'
import { EMPTY_PAGES_MAX } from '../../src/client/pages.js'
import { writeKeyFile } from '../../src/files/key-file.js'
import { formatAddress, instructionsOf, signedTransaction } from '../../src/model/index.js'
import { FAULTY_RESPONSES, type FaultyGateway, type FaultyResponse, faultyGateway } from '../support/faulty-gateway.js'
import { accountOf, alice, CHAIN, CODEC, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { type Printed, runHere } from './in-process.js'
import { RESULT_CASES } from './result-cases.js'

/** Characters that must not reach a terminal, except line feeds. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
/** Dashboards show that the node is lost, which is no failure of theirs. */
const SHOWS: ReadonlySet<string> = new Set(['watch'])
/** Time that a command gives a gateway; less for lies that never end. */
const TIMEOUT = '2s'
const SHORT = '100ms'
/** Time of a command that has to get an answer. */
const PATIENT = ['--timeout', '120s']
/** Each of them costs the whole time for every command: a command meets one of them, in turn. */
const ENDLESS = [
  'an answer without an end',
  'a refusal without an end',
  'unterminated event',
  'nothing at all',
  'the end of the connection',
]

let config: Config
let folder: string
let gateway: FaultyGateway
let forgery: FaultyResponse = () => undefined
const known = new Map<string, string>()
const HASH = 'ab'.repeat(32)

async function prepare(): Promise<void> {
  const log = JSON.stringify({ Log: { level: 'Info', text: 'hello' } })
  const file = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content)
  await writeKeyFile(join(folder, 'key.json'), alice)
  const instructions = instructionsOf([{ Log: { level: 'Info', text: 'x' } }], CODEC)
  const draft = buildTransaction({ chain: CHAIN, authority: accountOf(alice), instructions, codec: CODEC })
  const decoded = signedTransaction.decode((await signTransaction(draft, alice)).bytes, CODEC)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  const signed = JSON.stringify(signedTransaction.toJson(decoded.value, CODEC))
  const leg = (definition: string) => ({
    asset: { definition, account: formatAddress(accountOf(alice)) },
    to: formatAddress(accountOf(alice)),
    amount: '1',
  })
  await file('log.json', log)
  await file('signed.json', signed)
  await file('many.ndjson', `${signed}\n`)
  await file('many-logs.ndjson', `${log}\n${log}\n`)
  await file('batch.json', JSON.stringify([{ to: 'bob@bank', amount: '1' }]))
  await file('bindings.csv', 'iban,account\nNL91ABNA0417164300,alice@bank\n')
  await file('d1.json', JSON.stringify({ SettleDvp: { id: 'd1', delivery: leg('a#b'), payment: leg('c#d') } }))
  for (const name of ['pacs008.xml', 'pacs009.xml'])
    await file(name, await readFile(join('templates', 'iso', name), 'utf8'))
}

const filled = (words: readonly string[]): string[] =>
  words.map((word) => word.replaceAll(/\{([a-z][a-zA-Z0-9-]*)\}/g, (_, name: string) => known.get(name) ?? name))

/** Cases of commands that talk to a gateway, found out by running each once. */
const cases: { readonly id: string; readonly words: readonly string[] }[] = []

const run = (id: string, words: readonly string[]): Promise<Printed> => {
  gateway.asked.length = 0
  return runHere(config, id, words)
}
/** Requests of the last run beside that for the chain. */
const asked = (): string[] => gateway.asked.filter((one) => one !== 'GET /v1/node/capabilities')

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  config = await Config.load(process.cwd())
  folder = await mkdtemp(join(tmpdir(), 'lying-'))
  const honest = gatewayOf(new FakeNode())
  const { body } = await honest.inject({ url: '/v1/node/capabilities' })
  // Commands ask about aliases on a network that can assert them.
  gateway = await faultyGateway(() => forgery, JSON.stringify({ ...JSON.parse(body), abi_version: 2 }))
  for (const [name, value] of Object.entries({
    CAUSEWAY_GATEWAY: gateway.url,
    CAUSEWAY_TIMEOUT: TIMEOUT,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
  }))
    vi.stubEnv(name, value)
  await prepare()
  for (const [name, value] of Object.entries({
    dir: folder,
    gw: gateway.url,
    hash: HASH,
    tx: HASH,
    proposal: HASH,
    message: 'M-1',
  }))
    known.set(name, value)
  for (const name of ['admin', 'alice', 'bob']) known.set(name, join(folder, 'key.json'))
  for (const name of ['alice-id', 'bob-id', 'fresh', 'peer']) known.set(name, formatAddress(accountOf(alice)))
  forgery = FAULTY_RESPONSES['null for a record'] as FaultyResponse
  for (const { id, words } of RESULT_CASES) {
    // These work on files and processes of this machine.
    if (/^(localnet|node|signer|snapshot|genesis|init|sim|doctor)\b/.test(id)) continue
    const given = filled(words)
    await run(id, [...given, '--json'])
    if (asked().length > 0) cases.push({ id, words: given })
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

/** Groups and commands at the top that ask a gateway. */
const TOPICS = `
  account alias asset bench block conference consensus contract domain events explorer gov iso lane ledger metadata ministry multisig name nft
  notify openapi parameter peer permission profile query registry repo role rpc runtime rwa sink space status subscription trigger tx watch webhook zk
`

test('the cases for the faulty gateway cover the commands of every topic', () => {
  const topics = new Set(cases.map(({ id }) => id.split(':')[0]))
  expect([...topics].toSorted()).toEqual(TOPICS.trim().split(/\s+/))
  expect(cases.length).toBeGreaterThan(100)
})

describe.each(Object.entries(FAULTY_RESPONSES))('%s', (name, how) => {
  test('makes every command exit with a documented error', async () => {
    forgery = how
    const turn = ENDLESS.indexOf(name)
    vi.stubEnv('CAUSEWAY_TIMEOUT', turn < 0 ? TIMEOUT : SHORT)
    const met = cases.filter((_, at) => turn < 0 || at % ENDLESS.length === turn)
    const wrong: string[] = []
    for (const { id, words } of met) {
      const { code, stdout, stderr } = await run(id, [...words, '--json'])
      const printed = stdout + stderr
      const fault = UNSEEN.test(printed)
        ? 'prints what steers a terminal'
        : code === 0 && !SHOWS.has(id)
          ? 'takes it for the truth'
          : code === 7 || printed.includes('this is a bug')
            ? 'calls it a bug'
            : undefined
      if (fault !== undefined) wrong.push(`${id} ${words.join(' ')}: ${fault}: ${printed.slice(0, 300)}`)
    }
    expect(wrong, name).toEqual([])
  })
})

test('a redirect fails every kind of request', async () => {
  forgery = FAULTY_RESPONSES['a redirect'] as FaultyResponse
  const { code, stdout } = await run('api', ['GET', '/status', '--json', ...PATIENT])
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'not_a_gateway'])
})

test('a server that is not a gateway is reported as such', async () => {
  forgery = FAULTY_RESPONSES['a web page of another server'] as FaultyResponse
  const { code, stderr } = await run('account:show', ['alice@bank', ...PATIENT])
  expect([code, stderr]).toEqual([1, expect.stringContaining('not a Causeway gateway')])
  forgery = FAULTY_RESPONSES['a redirect'] as FaultyResponse
  const moved = await run('account:show', ['alice@bank', ...PATIENT])
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('give the address of the gateway itself')])
})

test('a list whose cursor does not advance fails', async () => {
  const page = JSON.stringify({ items: [], next_cursor: 'again', height: 1 })
  forgery = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(page)
  const { code, stdout } = await run('domain:list', ['--json', ...PATIENT])
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'not_a_gateway'])
  expect(asked().length).toBeLessThanOrEqual(2)
})

test('a list with endless empty pages fails', async () => {
  let count = 0
  forgery = (_, response) => {
    count += 1
    const page = JSON.stringify({ items: [], next_cursor: `c${count}`, height: 1 })
    response.writeHead(200, { 'content-type': 'application/json' }).end(page)
  }
  const { code, stdout } = await run('domain:list', ['--json', ...PATIENT])
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'not_a_gateway'])
  // Beside what a command asks before it lists.
  expect(count).toBeLessThan(EMPTY_PAGES_MAX + 20)
})
