/** Units of the run that closes the largest vote of a role, against the share of its block. */
import { expect, it } from 'vitest'
import { runDueRuns } from '../../../src/executor/due-runs/run.js'
import { incarnations } from '../../../src/executor/index.js'
import { dueTeu } from '../../../src/executor/shares.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { ballots, referenda } from '../../../src/features/gov/ledger/tables.js'
import { ELECTORS_MAX } from '../../../src/features/gov/schema/records.js'
import * as world from '../../bench/worst/gov-world.js'
import { CHAIN } from '../../support/chain.js'
import * as core from '../../support/core.js'

/** Header time after the end of the vote. */
const NOW_MS = 120_000

it('the run that closes a vote of 256 electors is within the share of due runs of a block', () => {
  for (const choice of ['aye', 'nay'] as const) {
    const bench = core.smallWorld(ABI_2)
    world.founded()(bench)
    const number = world.proposal(bench, 0, world.fatList(0))
    const cast = world.allBallots(choice)
    expect(cast).toHaveLength(ELECTORS_MAX)
    bench.state.set(ballots, number, cast)
    const env = { height: 3, timeMs: NOW_MS, genesis: false, chain: CHAIN, gate: undefined }
    const place = { abi: ABI_2, env, originView: 0, fees: undefined, nextIncarnation: incarnations(3) }
    const overlay = bench.state.fork()
    const runs = runDueRuns(place, overlay)
    expect(runs.map(({ rejection }) => rejection)).toEqual([undefined])
    const row = overlay.get(referenda, number)
    expect(row?.status).toBe(choice === 'aye' ? 'approved' : 'rejected')
    expect(row?.tally[choice === 'aye' ? 'ayes' : 'nays']).toEqual(core.units(BigInt(ELECTORS_MAX)))
    // Within a late view, too, which halves the share.
    expect(runs[0]?.teu).toBeLessThanOrEqual(dueTeu(bench.state) / 2)
  }
})
