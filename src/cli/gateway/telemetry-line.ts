/** Owns live telemetry as lines of text. */

import { shortId } from '../../base/ids.js'
import type { TelemetryEvent } from '../../client/index.js'

interface Subject {
  readonly peer: string | undefined
  readonly url: string | undefined
  readonly connected: boolean
  readonly height: number | undefined
}

const subjectText = ({ peer, url, connected, height }: Subject): string =>
  `${url ?? (peer === undefined ? 'a peer' : shortId(peer))} ${connected ? 'connected' : 'not connected'}${
    height === undefined ? '' : `, height ${height}`
  }`

const measured = (name: string, value: number | undefined, unit = ''): string =>
  value === undefined ? '' : `, ${name} ${value}${unit}`

/** Event on one line. */
export function telemetryLine(item: TelemetryEvent): string {
  switch (item.event) {
    case 'first': {
      const { peers, propagation } = item.value
      return `${peers.length} peers and gateways, propagation of ${propagation.length} blocks`
    }
    case 'peer_info': {
      const { rttMs, clockOffsetMs, queueSize } = item.value
      const figures = `${measured('round trip', rttMs, ' ms')}${measured('clock', clockOffsetMs, ' ms')}${measured('queue', queueSize)}`
      return `peer ${subjectText(item.value)}${figures}`
    }
    case 'peer_status':
      return `peer ${subjectText(item.value)}`
    case 'propagation': {
      const { block, spreadMs, peersReported } = item.value
      return `block ${block} at ${peersReported} gateways within ${spreadMs} ms`
    }
    case 'network_status': {
      const { height, peers, peersConnected, gateways, gatewaysConnected } = item.value
      return `network height ${height}, ${peersConnected} of ${peers} peers, ${gatewaysConnected} of ${gateways} gateways`
    }
    case 'lagged':
      return `- ${item.value.missed} changes were dropped because they were not read in time`
  }
}
