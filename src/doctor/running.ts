/** Owns the checks of a running node: it responds, is synced, in a quorum and advancing, and its clock is right. */
import { type ConsensusStatus, cancelReasonText, type NodeStatus, type TimeStatus } from '../api/index.js'
import { API_TOKEN_ENV } from '../client/index.js'
import { LedgerError } from '../model/index.js'
import { type DiagnosticContext, type Finding, fail, failed, ok, skip, warn } from './check.js'
import { gatewayOf } from './live.js'

/** Checks of the node by its gateway. */
export function checkRunning({ config, running, live }: DiagnosticContext): Finding[] {
  if (config === undefined) return [skip('gateway', 'needs the configuration')]
  if (!running || live === undefined) return [skip('gateway', 'the node is not running')]
  if (live instanceof Error) {
    if (isStarting(live)) return [warn('gateway', 'the node is starting')]
    const isBarred = config.gateway.requireApiToken && live instanceof LedgerError && live.code === 'unauthorised'
    if (!isBarred) return [failed('gateway', live)]
    const how = `set ${API_TOKEN_ENV} to one that the configuration lists, and CAUSEWAY_GATEWAY to ${gatewayOf(config)}`
    return [skip('gateway', `it requires an API token: ${how}`)]
  }
  const { gateway, status, consensus, time } = live
  return [
    ok(
      'gateway',
      `${gateway} responds${status === undefined ? '' : `, version ${status.version}, height ${status.blocks}`}`,
    ),
    ...(status === undefined ? [skip('synced', HIDDEN)] : checkStatus(status)),
    ...checkMode(status),
    consensus === undefined ? skip('progress', HIDDEN) : checkProgress(consensus),
    checkClock(time),
  ]
}

const isStarting = (error: Error): boolean => error instanceof LedgerError && error.code === 'node_starting'

const HIDDEN = 'hidden by the telemetry profile'

const HALTED = 'the node halted'

function checkPlace({ synced, inQuorum, peers, halted }: NodeStatus): Finding[] {
  if (halted !== undefined) return [skip('synced', HALTED), skip('quorum', HALTED)]
  return [
    synced ? ok('synced', 'in sync with its peers') : warn('synced', 'still syncing blocks from its peers'),
    inQuorum
      ? ok('quorum', `${peers} peers connected`)
      : fail('quorum', `${peers} peers connected: too few for a quorum`, 'causeway doctor on the other hosts'),
  ]
}

function checkStatus(status: NodeStatus): Finding[] {
  const { missingAbi } = status
  const findings = checkPlace(status)
  if (missingAbi === undefined) return [...findings, ok('upgrades', 'supports the ABI of every scheduled upgrade')]
  const { upgrade, abiVersion, decided, fromHeight } = missingAbi
  const text = `upgrade ${upgrade} needs ABI ${abiVersion}, which this release does not support`
  const hint = 'install a release that supports it: docs/operate/upgrades.md'
  return [
    ...findings,
    decided
      ? fail('upgrades', `${text}: the node stops before height ${fromHeight}`, hint)
      : warn('upgrades', `${text}; it may be activated from height ${fromHeight}`, hint),
  ]
}

function checkMode(status: NodeStatus | undefined): Finding[] {
  if (status?.cancelledMode === undefined) return []
  const { mode, height, reason } = status.cancelledMode
  return [
    warn(
      'mode',
      `the change to ${mode} at height ${height} was cancelled: ${cancelReasonText(reason)}`,
      'causeway consensus mode stage, once that is mended',
    ),
  ]
}

function checkProgress({ halted, stall }: ConsensusStatus): Finding {
  if (halted !== undefined) return fail('progress', `halted: ${halted}`, 'docs/operate/divergence.md')
  return stall === undefined ? ok('progress', 'no upgrade is pending') : fail('progress', stall.text)
}

/** Compare the clock of the node with the clocks of its peers, within the bounds of `/v1/time/status`. */
function checkClock({ offsetMs, confidenceMs, samplesUsed, health }: TimeStatus): Finding {
  if (samplesUsed === 0) return skip('clock', 'no peer has reported its clock yet')
  const peers = `${samplesUsed} ${samplesUsed === 1 ? 'peer' : 'peers'}`
  if (!health.offsetOk) {
    // A positive offset means that the peers are ahead.
    const side = offsetMs > 0 ? 'behind' : 'ahead of'
    return fail('clock', `${Math.abs(offsetMs)} ms ${side} the clocks of ${peers}`, 'Synchronise the clock by NTP.')
  }
  if (!health.confidenceOk) {
    return warn('clock', `the clocks of ${peers} are ${confidenceMs} ms apart`, 'causeway doctor on the other hosts')
  }
  return ok('clock', `${Math.abs(offsetMs)} ms from the clocks of ${peers}`)
}
