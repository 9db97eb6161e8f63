/** Owns the checks of a node that runs: it answers, it is synced and in a quorum, it moves, its clock is right. */
import { CausewayClient } from '../client/index.js'
import { formatHostPort, isLoopback } from '../node/config/index.js'
import { type Finding, fail, failed, ok, type Patient, skip, warn } from './check.js'

/** Longest wait for an answer of the own gateway, in ms. */
const ANSWER_MS = 3_000

/** URL at which a host reaches its own gateway. */
export function gatewayOf({ config }: Patient): string | undefined {
  if (config === undefined) return undefined
  const { listen, tls } = config.gateway
  const host = isLoopback(listen.host) ? listen.host : '127.0.0.1'
  return `${tls === undefined ? 'http' : 'https'}://${formatHostPort({ host, port: listen.port })}`
}

/** What the gateway says about the node. */
export async function checkRunning(patient: Patient): Promise<Finding[]> {
  const gateway = gatewayOf(patient)
  if (gateway === undefined) return [skip('gateway', 'needs the configuration')]
  if (!patient.running) return [skip('gateway', 'the node does not run')]
  const client = new CausewayClient({ gateway, timeoutMs: ANSWER_MS, retries: 0 })
  try {
    const status = await client.status()
    const findings = [ok('gateway', `${gateway} answers, version ${status.version}, height ${status.blocks}`)]
    findings.push(
      status.synced ? ok('synced', 'has what its peers have') : warn('synced', 'still fetches blocks from its peers'),
    )
    findings.push(
      status.inQuorum
        ? ok('quorum', `${status.peers} peers connected`)
        : fail('quorum', `${status.peers} peers connected: too few for a quorum`, 'causeway doctor on the other hosts'),
    )
    const { missingAbi } = status
    if (missingAbi === undefined) findings.push(ok('upgrades', 'carries the ABI of every upgrade to come'))
    else {
      const { upgrade, abiVersion, decided, fromHeight } = missingAbi
      const text = `upgrade ${upgrade} leads to ABI ${abiVersion}, which this release does not carry`
      const hint = 'install a release that carries it: docs/operate/upgrades.md'
      findings.push(
        decided
          ? fail('upgrades', `${text}: the node stops before height ${fromHeight}`, hint)
          : warn('upgrades', `${text}; it may be activated from height ${fromHeight}`, hint),
      )
    }
    const { halted, stall } = await client.consensusStatus()
    if (halted !== undefined) findings.push(fail('progress', `halted: ${halted}`, 'docs/operate/divergence.md'))
    else if (stall !== undefined) findings.push(fail('progress', stall.text))
    else findings.push(ok('progress', 'nothing waits'))
    return findings
  } catch (error) {
    return [failed('gateway', error)]
  } finally {
    await client.close()
  }
}
