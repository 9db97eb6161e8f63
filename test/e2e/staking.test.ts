/** Stake elects the validators of a network of processes: joining, leaving, paying, the switch of the mode, crashes at boundaries. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts } from '../support/ports.js'
import { getJson, TestNet, until } from './localnet.js'

let net: TestNet
let stopped = false
let paying: Promise<void>
let paid = 0

/** Small payments without a pause, so that epochs pass: about a block each, as fast as six nodes beside another test can. */
async function pay(): Promise<void> {
  const file = join(net.root, 'pay.json')
  while (!stopped) {
    const run = await net.cli(
      ...[
        'bench',
        'tx',
        '--rate',
        '3',
        '--duration',
        '5s',
        '--to',
        'bob@bank',
        '--asset',
        'eur#bank',
        '--yes',
        '--json',
      ],
      ...['--key-file', net.keyFile('alice'), '--gateway', net.gateways[2] ?? ''],
    )
    if (run.code === 0) paid += 1
    await writeFile(file, run.stdout)
  }
}

/** Epochs that are half as long as those of the template: most of the time here passes while one ends. */
const EPOCH = {
  epoch_length_blocks: 36,
  staking_commit_blocks: 7,
  staking_election_blocks: 3,
  staking_reveal_blocks: 7,
  evidence_horizon_blocks: 72,
  slashing_delay_blocks: 30,
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-epochs-'))
  const file = join(folder, 'manifest.json')
  const template = JSON.parse(await readFile(join('genesis', 'npos-4.json'), 'utf8'))
  await writeFile(file, JSON.stringify({ ...template, parameters: { ...template.parameters, ...EPOCH } }))
  net = await TestNet.start(file, '--mode', 'npos', '--observers', '2')
  await rm(folder, { recursive: true })
  paying = pay()
})
afterAll(async () => {
  stopped = true
  await paying
  await TestNet.closeAll()
})

interface Epoch {
  readonly mode: string
  readonly staged_mode: string | null
  readonly epoch: number
  readonly term: number
  readonly height: number
  readonly blocks_left: number | null
  readonly record: { readonly seats: readonly { readonly validator: string; readonly key: string }[] } | null
}
const epochNow = (gateway = net.gateways[0] ?? ''): Promise<Epoch> =>
  getJson<Epoch>(gateway, '/v1/lanes/public-lanes/0/epoch')
const as = (name: string): string[] => ['--key-file', net.keyFile(name), '--yes', '--json']
const nodeKeys = (peer: string): string[] => [
  ...['--validator-key', join(net.folder, peer, 'keys', 'validator.json')],
  ...['--network-key', join(net.folder, peer, 'keys', 'network.json')],
]
async function approved(...words: string[]): Promise<void> {
  const run = await net.cli(...words)
  expect(run.json(), words.join(' ')).toMatchObject({ state: 'approved' })
}
async function rejected(code: string, ...words: string[]): Promise<void> {
  const run = await net.cli(...words)
  expect(run.stdout, words.join(' ')).toContain(code)
  expect(run.code).not.toBe(0)
}
const addressOf = async (alias: string): Promise<string> =>
  (await getJson<{ id: string }>(net.gateways[0] ?? '', `/v1/accounts/${alias}`)).id
/** The epoch once it has what is asked for. */
const epochWith = (what: string, isWanted: (epoch: Epoch) => boolean): Promise<Epoch> =>
  until(what, async () => {
    const found = await epochNow().catch(() => undefined)
    return found !== undefined && isWanted(found) ? found : undefined
  })
const seated = async (alias: string): Promise<(epoch: Epoch) => boolean> => {
  const address = await addressOf(alias)
  return ({ record }) => record?.seats.some(({ validator }) => validator === address) === true
}

describe('a network that elects its validators', () => {
  it('elects a fifth and a sixth validator by their stake', async () => {
    for (const [peer, name] of [
      ['obs-0', 'val-4'],
      ['obs-1', 'val-5'],
    ] as const) {
      await approved('staking', 'bond', '20000', ...as(name))
      await approved('staking', 'register', ...nodeKeys(peer), '--commission-bps', '300', ...as(name))
    }
    await epochWith('a seat of val-4', await seated('val-4@bank'))
    await epochWith('a seat of val-5', await seated('val-5@bank'))
    await approved('staking', 'set', '--commission-bps', '700', ...as('val-4'))
    await rejected('stake_bad_commission', 'staking', 'set', '--commission-bps', '2000', ...as('val-4'))
    const listed = await net.cli('staking', 'validators', '--json')
    expect(listed.code).toBe(0)
    expect((listed.json() as { readonly items?: unknown[] }).items).toHaveLength(6)
    expect((await net.cli('consensus', 'epoch')).stdout).toContain('blocks left')
    const gateway = net.gateways[0] ?? ''
    const sets = await getJson<{ items: { seats?: { stake: string }[] }[] }>(gateway, '/v1/consensus/validator-sets')
    expect(sets.items[0]?.seats).toHaveLength(4)
    expect(Number(sets.items[0]?.seats?.[0]?.stake)).toBeGreaterThan(0)
    const params = await getJson<{ elections?: unknown[] }>(gateway, '/v1/consensus/params')
    expect(params.elections).toContainEqual({ name: 'epoch_length_blocks', value: EPOCH.epoch_length_blocks })
    const telemetry = await getJson<{ randomness?: object }>(gateway, '/v1/consensus/telemetry')
    expect(telemetry.randomness).toMatchObject({ epoch: expect.any(Number), commits: expect.any(Number) })
  })

  it('shows the effect of a nomination, and the history of a stake', async () => {
    const targets = ['val-0@bank', 'val-1@bank', 'val-4@bank']
    const simulate = ['staking', 'simulate', '--account', 'nina@bank', ...targets.flatMap((one) => ['--target', one])]
    // A validator is eligible if it was seen in the last slots, which a busy machine can delay.
    await until('six eligible candidates', async () => {
      const { eligible } = (await net.cli(...simulate, '--json')).json() as { eligible?: number }
      return eligible === 6 ? true : undefined
    })
    await approved('staking', 'nominate', ...targets, ...as('nina'))
    await approved('staking', 'unbond', '300', ...as('nina'))
    await approved('staking', 'rebond', '100', ...as('nina'))
    await rejected('not_enough', 'staking', 'withdraw', ...as('nina'))
    const history = (await net.cli('staking', 'history', 'nina@bank', '--json')).json() as unknown as {
      items: { action: string }[]
    }
    expect(history.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['bonded', 'unbonded', 'rebonded']),
    )
    expect((await net.cli('staking', 'show', 'nina@bank', '--json')).json()).toMatchObject({
      stake: { bonded: '4800' },
    })
    expect((await net.cli('staking', 'show', '--json')).json()).toMatchObject({ mode: 'npos', candidates: 6 })
  })

  it('continues while two validators are killed in turn around a boundary', async () => {
    for (const name of ['val-0', 'val-1']) {
      const before = await epochWith('the end of an epoch', ({ blocks_left: left }) => left !== null && left <= 6)
      await net.kill(name)
      const gateway = net.gateways[2] ?? ''
      await until('the next epoch', async () => {
        const now = await epochNow(gateway).catch(() => undefined)
        return now !== undefined && now.epoch > before.epoch ? now : undefined
      })
      expect((await net.up('--only', name)).code).toBe(0)
    }
    await net.agreed(6, 2)
  })

  it('pays rewards once, from the funded pot', async () => {
    await approved('staking', 'fund', '5000', ...as('admin'))
    const { items } = await until('a reward', async () => {
      const found = (await net.cli('staking', 'rewards', '--json')).json() as unknown as {
        items: { epoch: number; validator: string }[]
      }
      return found.items.length > 0 ? found : undefined
    })
    const [reward] = items
    const words = ['staking', 'payout', reward?.validator ?? '', '--epoch', String(reward?.epoch)]
    await approved(...words, ...as('bob'))
    await rejected('stake_paid', ...words, ...as('bob'))
  })

  it('removes a chilled validator, and readmits it on request', async () => {
    await approved('staking', 'chill', ...as('val-5'))
    const hasSeat = await seated('val-5@bank')
    await epochWith('an epoch without val-5', (epoch) => !hasSeat(epoch))
    await approved('staking', 'unjail', ...as('val-5'))
    await rejected(
      'stake_bad_window',
      'staking',
      'attest',
      '--height',
      '1',
      '--state-root',
      '00'.repeat(32),
      ...['--key-file', join(net.folder, 'obs-1', 'keys', 'network.json'), '--yes', '--json'],
    )
    await rejected('absent', 'staking', 'slash', 'cancel', '9', '--reason', 'none', ...as('admin'))
    expect((await net.cli('staking', 'slash', 'list', '--json')).json()).toMatchObject({ items: [] })
  })

  it.each([
    ['consensus_mode', /^consensus_mode = .*$/m, 'consensus_mode = "permissioned"'],
    ['epoch_length_blocks', /^#?epoch_length_blocks = .*$/m, 'epoch_length_blocks = 77'],
    ['npos_timeouts', /^#?npos_timeouts = .*$/m, 'npos_timeouts = "1,2,3,4,5"'],
  ])('does not start a node whose %s differs from genesis', async (key, line, other) => {
    const peer = join(net.folder, 'val-0')
    const config = await readFile(join(peer, 'node.toml'), 'utf8')
    expect(config).toMatch(line)
    const file = join(net.root, `${key}.toml`)
    const absolute = config.replaceAll(/^(\w+ = ")((?:keys|genesis)[^"]*")/gm, `$1${peer}/$2`)
    // It runs beside the peer whose keys it has, as far as it runs.
    const port = await freePorts(2)
    const apart = absolute
      .replace(/^listen = ".*"$/m, `listen = "127.0.0.1:${port}"`)
      .replace(/(\[gateway\][^[]*?^listen = )".*"$/m, `$1"127.0.0.1:${port + 1}"`)
    await writeFile(file, apart.replace(line, other))
    const run = await net.program('node', 'start', '--config', file)
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining(`consensus.${key}`)])
    expect(run.stderr).toContain('consensus_mode_mismatch')
  })

  it('lets a validator vote with its old key until a boundary, and with its new key from then on', async () => {
    const peer = join(net.folder, 'val-3')
    const next = join(peer, 'keys', 'next.json')
    expect((await net.cli('key', 'generate', '--algorithm', 'bls', '--out', next)).code).toBe(0)
    // Enough for a seat among any candidates.
    await approved('staking', 'bond', '60000', ...as('val-3'))
    const address = await addressOf('val-3@bank')
    const seatOf = ({ record }: Epoch) => record?.seats.find(({ validator }) => validator === address)
    const before = await epochWith('a seat of val-3', (epoch) => seatOf(epoch) !== undefined)
    const old = seatOf(before)?.key
    // The node holds both keys before anything names the new one.
    const file = join(peer, 'node.toml')
    const config = await readFile(file, 'utf8')
    await writeFile(file, config.replace(/^#?\s*next_validator = .*$/m, 'next_validator = "keys/next.json"'))
    await net.kill('val-3')
    expect((await net.up('--only', 'val-3')).code).toBe(0)
    const keys = ['--validator-key', next, '--network-key', join(peer, 'keys', 'network.json')]
    await approved('staking', 'rotate-key', ...keys, ...as('val-3'))
    await rejected('key_reused', 'staking', 'rotate-key', ...keys, ...as('val-3'))
    const after = await until('an epoch with the new key', async () => {
      const now = await epochNow().catch(() => undefined)
      const key = now && seatOf(now)?.key
      if (key !== undefined && key !== old) return now
      // A member killed when it had to reveal is suspended for an epoch, and returns by its own request.
      if (now !== undefined && key === undefined) await net.cli('staking', 'unjail', ...as('val-3'))
      return undefined
    })
    expect(after.epoch).toBeGreaterThan(before.epoch)
    // With another seat killed the others need its votes: those of the new key, from a node that has both.
    const peers = new Map([
      [await addressOf('val-1@bank'), 'val-1'],
      [await addressOf('val-4@bank'), 'obs-0'],
      [await addressOf('val-5@bank'), 'obs-1'],
    ])
    const seats = after.record?.seats ?? []
    expect(seats).toHaveLength(4)
    const victim = seats.flatMap(({ validator }) => peers.get(validator) ?? [])[0] ?? ''
    await net.kill(victim)
    const { height } = await epochNow()
    await epochWith('blocks that the new key signs', (epoch) => epoch.height > height + 5)
    expect((await net.up('--only', victim)).code).toBe(0)
    await net.agreed(6, height)
  })

  it('switches to registered validators and back while payments continue', async () => {
    const { height } = await epochNow()
    await approved(
      'consensus',
      'mode',
      'stage',
      'permissioned',
      '--height',
      String(height + 400),
      ...as('admin'),
      '--force',
    )
    await approved('consensus', 'mode', 'cancel', ...as('admin'))
    const now = (await epochNow()).height
    await approved(
      'consensus',
      'mode',
      'stage',
      'permissioned',
      '--height',
      String(now + 80),
      ...as('admin'),
      '--force',
    )
    await epochWith('the permissioned mode', ({ mode }) => mode === 'permissioned')
    const before = paid
    const then = (await epochNow()).height
    await approved('consensus', 'mode', 'stage', 'npos', '--height', String(then + 80), ...as('admin'))
    const back = await epochWith('the mode npos', ({ mode }) => mode === 'npos')
    await epochWith('another epoch', ({ epoch }) => epoch > back.epoch)
    await until('payments through both switches', async () => paid > before || undefined)
    await net.agreed(6, back.height)
  })
})
