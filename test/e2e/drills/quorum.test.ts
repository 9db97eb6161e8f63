/** Drill of a chain that has ended: two of four validators are gone with their keys, and what it held goes on under a new genesis. */
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Drill } from './drill.js'

let drill: Drill
beforeAll(async () => {
  drill = await Drill.start()
})
afterAll(() => drill.end())

interface LogLine {
  readonly height: number
  readonly block_hash: string
  readonly state_root: string
}

describe('a network with fewer nodes than a quorum', () => {
  let last: LogLine

  it('commits nothing, reports the reason, and serves reads', async () => {
    const fault = await drill.follow('no-quorum', 'The fault')
    expect(fault).toContain('[pending]')
    last = await drill.get<LogLine>(0, '/v1/consensus/status')
    expect(await drill.get(0, '/v1/consensus/status')).toMatchObject({ stall: { reason: 'no_quorum' } })
    await drill.get(0, '/v1/accounts/bob@bank')
  })

  it('provides a snapshot that verifies against the old genesis, and a changed snapshot is detected', async () => {
    await drill.follow('no-quorum', 'Saving the state')
    const { height, block_hash, state_root } = last
    expect(JSON.parse(await readFile(drill.path('snapshot.json'), 'utf8'))).toMatchObject({
      height,
      block_hash,
      state_root,
    })
    const bytes = await readFile(drill.path('state.snapshot'))
    const at = bytes.length - 200
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(drill.path('changed.snapshot'), bytes)
    const changed = await drill.shell(
      'causeway snapshot verify changed.snapshot --config .causeway/localnet/val-0/node.toml',
    )
    expect(changed.code, changed.output).toBe(10)
  })

  it('continues with a new genesis that names the last block of the old chain, with the same balances', async () => {
    await drill.follow('no-quorum', 'Agreeing to go on')
    const end = await drill.follow('no-quorum', 'It is over when')
    expect(end).toContain(`causeway-local height ${last.height} block ${last.block_hash} state ${last.state_root}`)
    expect(end).toMatch(/approved at height 2/)
    expect((await drill.get<LogLine>(0, '/v1/consensus/status')).height).toBe(last.height)
  })
})
