/**
 * Output of each command with --json: its keys and kinds of values, compared with recorded ones; and the same exit code
 * in both forms.
 */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { TestNet } from '../e2e/localnet.js'
import { type Printed, runHere } from './in-process.js'
import { ELSEWHERE, RESULT_CASES, type ResultCase } from './result-cases.js'
import { shapeOf } from './shape.js'

const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Record<string, object>
}

/** Key that relays would be reached by. */
const RELAY_KEY = '07'.repeat(32)

let net: TestNet
let config: Config
/** Values of placeholders. */
const known = new Map<string, string>()

/** Commands whose result is a document with a test of its own: its outermost keys are compared. */
const DOCUMENTS: ReadonlySet<string> = new Set(['openapi', 'config:schema', 'codec:schema'])
/** Fields that every record of a command has; which others the last lines of a log have is a matter of the moment. */
const STABLE: Readonly<Record<string, readonly string[]>> = { 'localnet:logs': ['node', 'level', 'time', 'msg'] }
const stable = (id: string, record: unknown): unknown => {
  const kept = STABLE[id]
  return kept === undefined
    ? record
    : Object.fromEntries(kept.map((name) => [name, (record as Record<string, unknown>)[name]]))
}

const run = (id: string, words: readonly string[]): Promise<Printed> => runHere(config, id, words)

/** Remarks without what is another in each run, and without the lines of progress that only a slow machine sees. */
const plain = (text: string): string =>
  text
    .replaceAll(net.root, '{dir}')
    .replaceAll(/[0-9a-f]{64,}/g, 'HASH')
    .replaceAll(/cw1[a-z0-9]{20,}/g, 'ADDRESS')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'GATEWAY')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/^.*\.\.\.\n/gm, '')

/** The words with what their placeholders stand for. */
const filled = (words: readonly string[]): string[] =>
  words.map((word) =>
    word.replaceAll(/\{([a-z][a-zA-Z0-9-]*)\}/g, (_, name: string) => {
      const value = known.get(name)
      if (value === undefined) throw new Error(`{${name}} stands for nothing yet`)
      return value
    }),
  )

const file = async (name: string, content: string): Promise<void> => writeFile(join(net.root, name), content)
const resultOf = async (id: string, ...words: string[]): Promise<Record<string, never>> => {
  const { stdout, stderr } = await run(id, [...filled(words), '--json'])
  try {
    return JSON.parse(stdout) as Record<string, never>
  } catch {
    throw new Error(`${id}: ${stdout}${stderr}`)
  }
}

/** Files and names that the cases speak of. */
async function prepare(): Promise<void> {
  const dir = net.root
  const gateway = net.gateways[0] ?? ''
  for (const [name, value] of Object.entries({ dir, net: net.folder, gw: gateway })) known.set(name, value)
  for (const name of ['admin', 'alice', 'bob']) known.set(name, net.keyFile(name))
  for (const name of ['val-0', 'val-2']) known.set(name, join(net.folder, name))
  const log = JSON.stringify({ Log: { level: 'Info', text: 'hello' } })
  await file('log.json', log)
  const entries = [{ scope: { definition: 'eur#bank' }, effect: { Allow: { max_amount: '5', window: 'Day' } } }]
  await file('guest.json', JSON.stringify({ dataspace: '9', account: 'alice@bank', entries }))
  const target = { label: 'sample', family: 'Sha256', hash: RELAY_KEY, reason: 'malware' }
  const agenda = { action: 'AddToDenylist', language: 'en', title: 'Sample', motivation: 'Why', impact: 'What' }
  await file('agenda.json', JSON.stringify({ ...agenda, tags: [], targets: [target], evidence: [] }))
  const times = { lead_ms: 0, voting_ms: 86_400_000, late_ms: 0, timelock_ms: 1_000, grace_ms: 60_000, step_ms: 60_000 }
  const rules = { quorum_bps: 1_000, approval_bps: 5_000, early: false, deposit: null, min_lock: null, places: 16 }
  const electorate = { Asset: { definition: 'ballot#bank' } }
  const tracks = [{ id: 0, track: { name: 'main', scope: ['*'], electorate, ...rules, ...times } }]
  await file('governance.json', JSON.stringify({ domain: 'bank', tracks, veto_bps: null }))
  await file('batch.json', JSON.stringify([{ to: 'bob@bank', amount: '1' }]))
  const bank = { bic: 'ABNANL2AXXX', name: 'Bank', country: 'NL' }
  await file('bics.json', JSON.stringify({ version: '1', source: 'test', entries: [bank] }))
  await file('bindings.csv', 'iban,account\nNL91ABNA0417164300,alice@bank\n')
  await file('many-logs.ndjson', `${log}\n${log}\n`)
  for (const name of ['pacs008.xml', 'pacs009.xml'])
    await file(name, await readFile(join('templates', 'iso', name), 'utf8'))
  known.set('next-abi', String(NEWEST_ABI.number + 1))
  known.set('relay-key', RELAY_KEY)
  const hop = { hpke_public_key: RELAY_KEY, weight: 1 }
  const hops = ['admin', 'alice', 'bob'].map((name) => ({ ...hop, relay_id: `${name}@bank` }))
  await file('relays.json', JSON.stringify({ hops, expiry_ms: Date.now() + 3_600_000 }))
  const pause = { call: 'token@bank', entrypoint: 'pause', args: { on: true } }
  await file('bundle.json', JSON.stringify([pause, { deploy: join(dir, 'token'), args: { digits: 2, initial: '5' } }]))
  const hex = (await resultOf('codec:encode', 'Instruction', '{dir}/log.json')).hex
  await file('log.hex', String(hex))
  const config2 = await readFile(join(net.folder, 'val-2', 'node.toml'), 'utf8')
  const absolute = config2.replaceAll(/^(\w+ = ")((?:keys|genesis)[^"]*")/gm, `$1${join(net.folder, 'val-2')}/$2`)
  for (const name of ['empty', 'empty2']) {
    await file(`${name}.toml`, absolute.replace(/^data_dir = ".*"$/m, `data_dir = "${join(dir, name)}"`))
  }
  // Two blocks above genesis, so that everything has something to say.
  for (const amount of ['1', '2']) {
    await resultOf(
      ...(['asset:transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', amount] as const),
      ...['--key-file', '{alice}'],
    )
  }
  await net.agreed(4, 3)
  const { hash } = (await resultOf('block:show', '2')) as unknown as { hash: string }
  known.set('hash', hash)
  const { genesis_hash: genesis } = (await resultOf('localnet:status')) as unknown as { genesis_hash: string }
  known.set('genesis', genesis)
  const { items } = (await resultOf('peer:list')) as unknown as { items: { id: string }[] }
  known.set('peer', items[1]?.id ?? '')
  for (const name of ['alice', 'bob', 'bridge']) {
    known.set(`${name}-id`, String((await resultOf('account:show', `${name}@bank`)).id))
  }
  await file('finality.json', (await run('api', ['GET', '/v1/bridge/finality/2'])).stdout)
  // A quorum goes on while this one is looked at offline.
  await net.cli('localnet', 'down', '--only', 'val-2', '--dir', net.folder)
}

/** Results of a case for later ones. */
const AFTER: Readonly<Record<string, (result: Record<string, never>) => void | Promise<void>>> = {
  'key:generate': (result) => {
    const { address } = result as { address?: string }
    if (address !== undefined) known.set('fresh', address)
  },
  'key:pop:create': (result) => {
    const { public_key, pop } = result as unknown as { public_key: string; pop: string }
    known.set('pop-key', public_key)
    known.set('pop', pop)
  },
  'tx:build': async (result) => file('built.json', JSON.stringify(result)),
  'tx:sign': async (result) => {
    await file('signed.json', JSON.stringify(result))
    await file('many.ndjson', `${JSON.stringify(result)}\n`)
  },
  'tx:decode': (result) => void known.set('tx', String((result as { hash?: string }).hash)),
  'conference:key:show': async (result) => {
    known.set('member-key', String((result as { key?: string }).key))
    const other = await resultOf('conference:key:show', 'bank:board', '--key-file', '{bob}')
    known.set('other-key', String((other as { key?: string }).key))
  },
  'conference:prove:join': async (result) => file('proof.json', JSON.stringify(result)),
  'webhook:create': (result) => void known.set('hook', String((result as { id?: string }).id)),
  'multisig:propose': async () => {
    const { open } = (await resultOf('multisig:show', 'pair@bank')) as unknown as { open: { proposal: string }[] }
    known.set('proposal', open[0]?.proposal ?? '')
  },
  'lane:settlement:build': async (result) => file('d1.json', JSON.stringify(result)),
  'iso:submit:pacs008': (result) => {
    const { message_id } = result as { message_id?: string }
    if (message_id !== undefined) known.set('message', message_id)
  },
}

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  net = await TestNet.start()
  for (const [name, value] of Object.entries({
    CAUSEWAY_LOCALNET: net.folder,
    CAUSEWAY_GATEWAY: net.gateways[0] ?? '',
    CAUSEWAY_TIMEOUT: '60s',
    HOME: net.root,
    XDG_CONFIG_HOME: join(net.root, '.config'),
  }))
    vi.stubEnv(name, value)
  config = await Config.load(process.cwd())
  await prepare()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await TestNet.closeAll()
})

const titleOf = ({ id, words }: ResultCase): string => `${id.replaceAll(':', ' ')} ${words.join(' ')}`

describe('with --json', () => {
  test.each(RESULT_CASES.map((one) => [titleOf(one), one] as const))(
    'prints the expected result of %s',
    async (_title, { id, words, once }) => {
      const given = filled(words)
      const json = await run(id, [...given, '--json'])
      const records = recordsOf(json.stdout)
      expect({
        exit: json.code,
        stderr: once ? '' : plain(json.stderr),
        result: records.map((one) => shapeOf(stable(id, one), DOCUMENTS.has(id) ? 1 : undefined)),
      }).toMatchSnapshot()
      await AFTER[id]?.(records[0] as Record<string, never>)
      if (once) return
      const text = await run(id, given)
      expect([text.code, text.stdout + text.stderr], json.stdout).toEqual([json.code, expect.stringMatching(/\S/)])
    },
  )

  test('is tested for every command, here or in another file', () => {
    const run = new Set(RESULT_CASES.map(({ id }) => id))
    const missing = Object.keys(manifest.commands).filter((id) => !run.has(id) && !Object.hasOwn(ELSEWHERE, id))
    expect(missing).toEqual([])
    expect(Object.keys(ELSEWHERE).filter((id) => run.has(id) || !Object.hasOwn(manifest.commands, id))).toEqual([])
  })
})

/** One record, or one a line. */
function recordsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
}
