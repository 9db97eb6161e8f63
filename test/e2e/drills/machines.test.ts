/** Drills of machines: a disk, a file, a clock and a node are lost, and the pages bring them back while payments go on. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flipRoot } from '../../support/flip-state.js'
import { until } from '../localnet.js'
import { Drill } from './drill.js'

let drill: Drill
beforeAll(async () => {
  drill = await Drill.start()
})
afterAll(() => drill.end())

describe('lost disk', () => {
  it('a validator without its data follows without voting, and votes again above its earlier votes', async () => {
    await drill.follow('lost-disk', 'The fault')
    const { height: before } = await drill.agreed([0, 1, 2])
    const steps = await drill.follow('lost-disk', 'Steps')
    expect(steps).toMatch(/^role +Standby$/m)
    const end = await drill.follow('lost-disk', 'It is over when')
    expect(end).toContain('the node votes again')
    // It came back when the others were here at least; what it decides now is three heights above.
    const { height } = await drill.agreed([0, 1, 2, 3])
    expect(height + 1).toBeGreaterThanOrEqual(before + 3)
    // A quorum with it: its votes count.
    await drill.shell('causeway localnet fault kill val-2')
    await drill.pay()
    expect(await drill.evidence()).toEqual([])
    await drill.shell('causeway localnet up')
    await drill.agreed([0, 1, 2, 3], height + 1)
  })
})

describe('corrupted file', () => {
  /** Flips a bit of a file of a data directory: so many bytes before its end, or in its middle. */
  const flip =
    (name: string, beforeEnd?: number) =>
    async (data: string): Promise<void> => {
      const file = join(data, name)
      const bytes = await readFile(file)
      const at = beforeEnd === undefined ? bytes.length >> 1 : bytes.length - beforeEnd
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(file, bytes)
    }

  /** Flips a bit in the middle of the manifest of the state database, which names its files. */
  const flipManifest = async (data: string): Promise<void> => {
    const manifest = (await readdir(join(data, 'state'))).find((name) => name.startsWith('MANIFEST-'))
    if (manifest === undefined) throw new Error('the state database has no manifest')
    await flip(join('state', manifest))(data)
  }

  it('a payload changed on disk is reported with file and height, and the node recovers without it', async () => {
    await drill.follow('corrupted-file', 'The fault')
    // The copies of the next test are of what is there now.
    await cp(drill.of('val-2', 'data'), drill.path('copy'), { recursive: true })
    const steps = await drill.follow('corrupted-file', 'Steps')
    expect(steps).toMatch(/result +block \d+: .*segment_000000.dat: its payload bytes are missing or corrupt/)
    expect(await drill.log('val-2')).toContain('abstaining: the vote log cannot be trusted')
    const end = await drill.follow('corrupted-file', 'It is over when')
    expect(end).toMatch(/result +valid/)
    expect(await drill.evidence()).toEqual([])
  })

  it.each([
    [
      'the last header',
      flip('blocks/headers.log', 20),
      1,
      /block \d+: .*headers.log: its header record is missing or damaged/,
    ],
    ['the root of the state', flipRoot, 1, /the state database: state tree .* is corrupt.*storage_corrupt/],
    ['the manifest of the state', flipManifest, 1, /the state database: cannot open .*state: .*storage_corrupt/],
    ['the log of votes', flip('votes.log'), 0, /"damaged".*abstaining: the vote log cannot be trusted/],
    ['the audit log', flip('audit.log'), 0, /the hash chain of the audit log is broken/],
  ] as const)('a changed byte of %s is detected at startup', async (_what, damage, code, message) => {
    await drill.shell('causeway localnet down --only val-2')
    const data = drill.of('val-2', 'data')
    await rm(data, { recursive: true })
    await cp(drill.path('copy'), data, { recursive: true })
    await damage(data)
    const before = (await drill.log('val-2')).length
    const started = await drill.shell('causeway localnet up --only val-2')
    expect(started.code === 0, started.output).toBe(code === 0)
    if (code !== 0) expect(started.output).toContain(`val-2 ended with ${code}`)
    expect(started.output + (await drill.log('val-2')).slice(before)).toMatch(message)
    await drill.pay()
  })
})

describe('clock jump', () => {
  it('a clock jump is reported by the node and by doctor, payments continue, and no restart is needed', async () => {
    await drill.shell('causeway localnet down --only val-2')
    await rm(drill.of('val-2', 'data'), { recursive: true })
    await drill.shell('causeway localnet down --only val-1')
    const file = drill.path('clock')
    const preload = pathToFileURL(join(process.cwd(), 'test/support/clock-jump.mjs')).href
    const env = `CLOCK_JUMP_FILE=${file} NODE_OPTIONS="--import ${preload}"`
    const up = await drill.shell(`${env} causeway localnet up --only val-1 && causeway localnet up`)
    expect(up.code, up.output).toBe(0)
    const health = (healthy: boolean) =>
      until(`val-1 to say that its clock is ${healthy ? 'right' : 'wrong'}`, async () => {
        const status = await drill.get<{ health: { healthy: boolean } }>(1, '/v1/time/status')
        return status.health.healthy === healthy ? status : undefined
      })
    await health(true)
    for (const jumpMs of [3_600_000, -3_600_000]) {
      await writeFile(file, String(jumpMs))
      expect(await health(false)).toMatchObject({ health: { offset_ok: false } })
      const doctor = await drill.shell(`causeway doctor --config ${drill.of('val-1', 'node.toml')}`)
      expect([doctor.code, doctor.output]).toEqual([
        10,
        expect.stringMatching(/clock +.*\d+ ms (ahead of|behind) the clocks/),
      ])
      for (let count = 0; count < 5; count += 1) await drill.pay(0)
      const refused = await drill.tryPay(1)
      expect(refused.output).toMatch(jumpMs > 0 ? /transaction_expired/ : /transaction_in_future/)
      await writeFile(file, '0')
      await health(true)
      await drill.pay(1)
    }
    const { height } = await drill.agreed([0, 1, 3])
    await drill.agreed([0, 1, 2, 3], height)
    expect(await drill.evidence()).toEqual([])
  })
})

describe('lost node', () => {
  it('payments continue without the node, and instructions replace it with a new validator', async () => {
    await drill.shell(
      'until causeway consensus status --gateway http://127.0.0.1:8082 | grep -q "^role  *Member"; do causeway asset transfer --key-file .causeway/localnet/dev-only-keys/alice.json --to bob@bank --asset eur#bank --amount 0.01; done',
    )
    await drill.follow('lost-node', 'The fault')
    const output = await drill.follow('lost-node', 'Steps', 'It is over when')
    // Four validators again, one of them the new one.
    expect(output.match(/^\S+ +Validator .*(up|self)/gm)).toHaveLength(4)
    expect(await drill.evidence()).toEqual([])
  })
})
