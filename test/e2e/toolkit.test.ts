/** The operator's tools on a network of real processes: links that break and heal, many transactions at once, blocks in a file. */
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IDENTIFIES_DIALERS } from '../../src/cli/localnet/links/dialer.js'
import { takeLock } from '../../src/storage/lock.js'
import { causeway, startCauseway } from '../cli/run.js'
import { needs } from '../support/needs.js'
import { getJson, TestNet, until } from './localnet.js'

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start('permissioned-4', ...(IDENTIFIES_DIALERS ? ['--faults'] : []))
})
afterAll(() => TestNet.closeAll())

/** Pays through a peer and says how that ended. */
const pay = (peer: number, timeout = '60s') =>
  net.cli(
    ...['asset', 'transfer', '--key-file', net.keyFile('alice'), '--to', 'bob@bank'],
    ...['--asset', 'eur#bank', '--amount', '0.01', '--timeout', timeout, '--json'],
    ...['--gateway', net.gateways[peer] ?? ''],
  )

const fault = async (...words: string[]) => {
  const run = await net.cli('localnet', 'fault', ...words, '--json')
  expect(run.code, run.stdout + run.stderr).toBe(0)
  return run.json() as unknown as { links: string | null }
}

/** Stall reported by a peer. */
const stallOf = async (peer: number): Promise<string | undefined> =>
  (await getJson<{ stall: { text: string } | null }>(net.gateways[peer] ?? '', '/v1/consensus/status')).stall?.text

describe('a changed configuration', () => {
  const folder = () => join(net.folder, 'val-2')
  const reload = () => net.cli('node', 'reload', '--peer-dir', folder(), '--json')
  const edit = async (change: (text: string) => string): Promise<void> => {
    const file = join(folder(), 'node.toml')
    await writeFile(file, change(await readFile(file, 'utf8')))
  }
  const allowed = async (): Promise<string | null> => {
    const answer = await fetch(`${net.gateways[2]}/health`, { headers: { origin: 'https://desk.bank.example' } })
    return answer.headers.get('access-control-allow-origin')
  }

  test('is applied by a running node, which reports keys that need a restart and ignores an invalid file', async () => {
    expect((await reload()).json()).toEqual({ changed: [], restart: [] })
    expect(await allowed()).toBeNull()
    await edit((text) =>
      text
        .replace(/^cors_origins = .*$/m, 'cors_origins = ["https://desk.bank.example"]')
        .replace(/^capacity = .*$/m, 'capacity = 4000'),
    )
    expect((await reload()).json()).toEqual({ changed: ['gateway.cors_origins'], restart: ['queue.capacity'] })
    expect(await allowed()).toBe('https://desk.bank.example')
    await edit((text) => text.replace(/^cors_origins = .*$/m, 'cors_origins = "everywhere"'))
    const faulty = await reload()
    expect([faulty.code, faulty.stdout]).toEqual([3, expect.stringContaining('gateway.cors_origins')])
    // The same by the signal alone, of a file that the command would not even send.
    const pid = (await net.status()).peers[2]?.pid ?? 0
    process.kill(pid, 'SIGHUP')
    const log = join(folder(), 'node.log')
    await until('the log tells', async () =>
      (await readFile(log, 'utf8')).includes('the configuration was not reloaded') ? true : undefined,
    )
    expect(await allowed()).toBe('https://desk.bank.example')
    expect((await pay(2)).code).toBe(0)
    const audit = await readFile(join(folder(), 'data', 'audit.log'), 'utf8')
    expect(audit.match(/node_reload/g)).toHaveLength(2)
    await edit((text) => text.replace(/^cors_origins = .*$/m, 'cors_origins = []'))
    expect((await reload()).json()).toMatchObject({ changed: ['gateway.cors_origins'] })
  })

  test('is refused if no node is running', async () => {
    expect((await net.cli('localnet', 'fault', 'kill', 'val-3')).code).toBe(0)
    const run = await net.cli('node', 'reload', '--peer-dir', join(net.folder, 'val-3'), '--json')
    expect([run.code, run.stdout]).toEqual([5, expect.stringContaining('no node is running on')])
    // A command that works on the folder would end by the signal, as this test would.
    const held = await takeLock(join(net.folder, 'val-3', 'data'), 'command')
    const refused = await net.cli('node', 'reload', '--peer-dir', join(net.folder, 'val-3'), '--json')
    expect(refused.json()).toMatchObject({ error: { code: 'data_dir_locked' } })
    await held.release()
    expect((await net.up('--only', 'val-3')).code).toBe(0)
  })

  test('is no longer awaited once the signalled node has exited', async () => {
    expect((await net.cli('localnet', 'fault', 'pause', 'val-3')).code).toBe(0)
    const waits = net.cli('node', 'reload', '--peer-dir', join(net.folder, 'val-3'), '--timeout', '60s', '--json')
    expect(await Promise.race([waits.then(() => 'answered'), setTimeout(1_500, 'waits')])).toBe('waits')
    expect((await net.cli('localnet', 'fault', 'kill', 'val-3')).code).toBe(0)
    const run = await waits
    expect([run.code, run.stdout]).toEqual([5, expect.stringContaining('ended before it responded')])
    expect((await net.up('--only', 'val-3')).code).toBe(0)
  })
})

describe('links of a local network', needs(IDENTIFIES_DIALERS ? undefined : 'links with faults need Linux'), () => {
  test('with one of four peers partitioned, the chain continues and the peer recovers', async () => {
    expect(await fault('partition', 'val-3')).toMatchObject({ links: 'partitioned' })
    const before = (await net.status()).peers[3]?.height ?? 0
    for (let count = 0; count < 4; count += 1) expect((await pay(0)).code).toBe(0)
    const { peers } = await net.status()
    expect(peers.map(({ links }) => links)).toEqual([null, null, null, 'partitioned'])
    expect(peers[3]?.height).toBeLessThanOrEqual(before + 1)
    expect(peers[0]?.height).toBeGreaterThanOrEqual(before + 4)
    expect(await fault('partition', 'val-3', '--heal')).toMatchObject({ links: null })
    await net.agreed(4, peers[0]?.height ?? 1)
  })

  test('with two of four peers partitioned, nothing is committed until they are healed, and the reason is reported', async () => {
    await fault('partition', 'val-2')
    await fault('partition', 'val-3')
    const stuck = await pay(0, '4s')
    expect([stuck.code, stuck.json()]).toMatchObject([8, { error: { code: 'pending' } }])
    expect(await until('the reason', () => stallOf(0))).toMatch(/of 3|quorum/)
    const { note } = (await net.status()).peers[0] ?? {}
    expect(note).toMatch(/val-[23]/)
    expect(note).not.toContain('..')
    await fault('partition', 'val-2', '--heal')
    await fault('partition', 'val-3', '--heal')
    expect((await pay(1)).code).toBe(0)
    await net.agreed()
  })

  test('a peer with delayed messages slows the others down without stopping them', async () => {
    expect(await fault('delay', 'val-1', '--by', '150ms')).toMatchObject({ links: 'delayed by 150 ms' })
    expect((await pay(0)).code).toBe(0)
    expect(await fault('partition', 'val-1')).toMatchObject({ links: 'partitioned, delayed by 150 ms' })
    await fault('partition', 'val-1', '--heal')
    expect(await fault('delay', 'val-1', '--heal')).toMatchObject({ links: null })
    await net.agreed()
  })

  test('--no-faults is rejected while peers run, and --heal is rejected for a kill', async () => {
    const live = await net.up('--no-faults')
    expect([live.code, live.json()]).toMatchObject([2, { error: { code: 'usage' } }])
    const heal = await net.cli('localnet', 'fault', 'kill', 'val-0', '--heal', '--json')
    expect([heal.code, heal.json()]).toMatchObject([2, { error: { code: 'usage' } }])
  })
})

describe('many transactions', () => {
  const grants = (names: readonly string[]): string =>
    names.map((id) => JSON.stringify({ RegisterDomain: { id, metadata: {} } })).join('\n')
  const bulk = async (command: 'send' | 'submit', text: string, ...words: string[]) => {
    const path = join(net.root, 'many.ndjson')
    await writeFile(path, text)
    const run = await net.cli(
      ...['tx', command, path, '--bulk', '--key-file', net.keyFile('admin'), '--gateway', net.gateways[1] ?? ''],
      ...words,
    )
    return { ...run, view: run.stdout.startsWith('{') ? (run.json() as Record<string, unknown>) : {} }
  }

  test('are signed, submitted and followed; failures are listed and do not stop the others', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `shop${index}`)
    const lines = [...grants(names).split('\n'), '', grants(['shop3']), 'no json', '{"Nonsense": {}}']
    const { code, view, stderr } = await bulk('send', lines.join('\n'), '--window', '16', '--json')
    expect(stderr).toMatch(/^To be signed for chain causeway-local at .*\n {2}each transaction of .*many\.ndjson\n/)
    expect(view).toMatchObject({
      transactions: 43,
      counts: { approved: 40, exists: 1, malformed_json: 1, unknown_instruction: 1 },
      stopped: null,
      exit: 6,
    })
    expect(code).toBe(6)
    const failures = view.failures as { place: string; error: { code: string }; exit: number }[]
    expect(failures.map(({ place, error, exit }) => [place, error.code, exit]).toSorted()).toEqual([
      ['line 42', 'exists', 6],
      ['line 43', 'malformed_json', 4],
      ['line 44', 'unknown_instruction', 4],
    ])
  })

  test('that are already signed are executed once, however often they are submitted', async () => {
    const signed: string[] = []
    for (const id of ['once1', 'once2', 'once3']) {
      const draft = await causeway(
        ['tx', 'build', '-', '--key-file', net.keyFile('admin'), '--gateway', net.gateways[0] ?? ''],
        { input: grants([id]), cwd: net.root },
      )
      const run = await causeway(['tx', 'sign', '-', '--key-file', net.keyFile('admin')], {
        input: draft.stdout,
        cwd: net.root,
      })
      signed.push(JSON.stringify(run.json()))
    }
    const first = await bulk('submit', signed.join('\n'), '--rate', '100')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^3 transactions in [\d.]+ s, \d+ a second\n {7}3 {2}approved\n$/)
    const again = await bulk('submit', signed.join('\n'), '--json')
    expect(again.view).toMatchObject({ transactions: 3, counts: { approved: 3 }, failures: [], exit: 0 })
  })

  test('are followed to completion after Ctrl-C, and are included in the summary', async () => {
    const words = ['tx', 'send', '-', '--bulk', '--json', '--key-file', net.keyFile('admin'), '--gateway']
    const child = startCauseway([...words, net.gateways[1] ?? ''], { cwd: net.root })
    const [printed, ended] = [text(child.stdout), once(child, 'exit')]
    child.stdin.on('error', () => undefined)
    // Standard input stays open: what it may still bring is not waited for.
    child.stdin.write(`${grants(['kept1', 'kept2', 'kept3'])}\n`)
    await until('the last of them in a block', async () => {
      const answer = await fetch(`${net.gateways[0]}/v1/domains`, { headers: { accept: 'application/json' } })
      return (await answer.text()).includes('kept3') ? true : undefined
    })
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(JSON.parse(await printed)).toMatchObject({
      transactions: 3,
      counts: { approved: 3 },
      stopped: 'interrupted',
      exit: 130,
      failures: [],
    })
  })

  test('stop if the node is unreachable', async () => {
    const run = await net.cli(
      ...['tx', 'submit', join(net.root, 'many.ndjson'), '--bulk', '--json'],
      ...['--gateway', 'http://127.0.0.1:1', '--timeout', '1s'],
    )
    expect([run.code, run.json()]).toMatchObject([5, { error: { code: 'unreachable' } }])
  })
})

describe('a load of payments', () => {
  const words = (...more: string[]): string[] => [
    ...['bench', 'tx', '--to', 'bob@bank', '--asset', 'eur#bank', '--key-file', net.keyFile('alice')],
    ...['--gateway', net.gateways[2] ?? '', ...more],
  ]
  const balance = async (): Promise<number> => {
    const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
      net.gateways[2] ?? '',
      '/v1/accounts/bob@bank',
    )
    return Math.round(Number(balances.find((one) => one.definition === 'eur#bank')?.amount) * 100)
  }

  test('is sent at its rate, and reports throughput, latencies and a histogram', async () => {
    const before = await balance()
    const run = await net.cli(...words('--rate', '20', '--duration', '1s', '--amount', '0.01', '--json'))
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const view = run.json() as unknown as Record<string, unknown> & { histogram: { count: number }[] }
    expect(run.stderr).toContain('Payments: 20 times 0.01 eur#bank to bob@bank.')
    expect(view).toMatchObject({ planned: 20, rejected: 0, unanswered: 0, stopped: null, exit: 0 })
    expect(view.latency_ms).toMatchObject({ p50: expect.any(Number), max: expect.any(Number) })
    expect(view.histogram.reduce((sum, one) => sum + one.count, 0)).toBe(view.committed)
    expect((await balance()) - before).toBe(view.committed)
  })

  test('counts ledger rejections, and sets the exit code accordingly', async () => {
    // Of the balance of a million one such payment can be made.
    const run = await net.cli(...words('--rate', '3', '--duration', '1s', '--amount', '600000'))
    expect(run.code, run.stderr).toBe(6)
    expect(run.stdout).toMatch(/committed +1, .*\nrejected +[12] \(not_enough [12]\)\nunanswered +0/)
  })

  test('reports before the first payment that the ledger would reject it', async () => {
    const before = await balance()
    const run = await net.cli(...words('--rate', '3', '--duration', '1s', '--amount', '999999999999', '--json'))
    expect([run.code, run.json()]).toMatchObject([6, { error: { code: 'not_enough' } }])
    expect(await balance()).toBe(before)
  })

  test('ends on Ctrl-C with a summary', async () => {
    const before = await balance()
    const child = startCauseway(words('--rate', '50', '--duration', '10m', '--json'), { cwd: net.root })
    child.stdin.end()
    child.stderr.resume()
    const [printed, ended] = [text(child.stdout), once(child, 'exit')]
    await until('the first payments', async () => ((await balance()) > before ? true : undefined))
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    const view = JSON.parse(await printed) as { submitted: number; committed: number }
    expect(view).toMatchObject({ planned: 30_000, unanswered: 0, stopped: 'interrupted', exit: 130 })
    expect(view.committed).toBe(view.submitted)
    expect((await balance()) - before).toBe(view.committed)
  })
})

describe('blocks in a file', () => {
  test('are exported from a running node and imported into a new data directory, in two pieces, with the same root', async () => {
    for (let count = 0; count < 4; count += 1) expect((await pay(count)).code).toBe(0)
    const { height } = await net.agreed()
    const top = height ?? 0
    const [all, rest] = [join(net.root, 'all.bin'), join(net.root, 'rest.ndjson')]
    const gateway = ['--gateway', net.gateways[0] ?? '']
    expect((await net.cli('block', 'export', all, '--to-height', String(top - 2), ...gateway)).code).toBe(0)
    const piped = await net.cli(
      'block',
      'export',
      '-',
      '--from-height',
      String(top - 3),
      '--to-height',
      String(top),
      '--json',
      ...gateway,
    )
    await writeFile(rest, piped.stdout)
    const into = (file: string, ...words: string[]) =>
      net.cli(
        ...['block', 'import', file, '--peer-dir', join(net.folder, 'val-2'), '--data-dir', join(net.root, 'copy')],
        ...words,
      )
    const first = (await into(all, '--json')).json()
    expect(first).toMatchObject({ made: true, from: 1, height: top - 2, imported: top - 3, known: 1 })
    const second = await into(rest)
    expect(second.stdout).toMatch(
      new RegExp(`blocks +2 imported, 2 already stored\\nheight +${top}, before ${top - 2}`),
    )
    const sound = await net.cli(
      ...['block', 'replay', '--peer-dir', join(net.folder, 'val-2'), '--data-dir', join(net.root, 'copy'), '--json'],
    )
    expect([sound.code, sound.json()]).toMatchObject([0, { sound: true, reproduced_to: top }])
    expect(await readdir(join(net.root, 'copy'))).not.toContain('votes.log')
    // Ctrl-C while a pipe is silent: what came stays, and the same command goes on there.
    const [begun, words] = [join(net.root, 'begun'), ['block', 'import', '-', '--json']]
    const place = ['--peer-dir', join(net.folder, 'val-2'), '--data-dir', begun]
    const child = startCauseway([...words, ...place], { cwd: net.root })
    const [printed, ended] = [text(child.stdout), once(child, 'exit')]
    child.stdin.on('error', () => undefined)
    child.stdin.write((await readFile(all)).subarray(0, -50))
    await until('a block of the begun import', async () => {
      const log = await stat(join(begun, 'blocks', 'headers.log')).catch(() => undefined)
      return log !== undefined && log.size > 0 ? true : undefined
    })
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    const interrupted = JSON.parse(await printed) as { height: number }
    expect(interrupted).toMatchObject({ made: true, interrupted: true })
    const resumed = (await net.cli('block', 'import', all, ...place, '--json')).json()
    expect(resumed).toMatchObject({ from: interrupted.height, height: top - 2, interrupted: false })
    // A bit of a certificate or of a payload, wherever it falls, is found.
    const bytes = await readFile(all)
    bytes[bytes.length - 100]! ^= 4
    await writeFile(all, bytes)
    const bad = await net.cli(
      ...[
        'block',
        'import',
        all,
        '--peer-dir',
        join(net.folder, 'val-2'),
        '--data-dir',
        join(net.root, 'other'),
        '--json',
      ],
    )
    expect([bad.code, bad.json()]).toMatchObject([4, { error: { code: 'bad_checksum', details: { height: top - 3 } } }])
  })

  test('cannot be imported into the data directory of a running node', async () => {
    await writeFile(join(net.root, 'rest.ndjson'), '')
    const run = await net.cli(
      'block',
      'import',
      join(net.root, 'rest.ndjson'),
      '--peer-dir',
      join(net.folder, 'val-1'),
      '--json',
    )
    expect([run.code, run.json()]).toMatchObject([3, { error: { code: 'data_dir_locked' } }])
  })
})
