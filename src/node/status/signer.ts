/** Owns the status of the signer: the record in the consensus status, and the metrics. */
import type { SignerStatus as SignerStatusRecord } from '../../api/index.js'
import { collectFrom, type Metrics, oncePerScrape } from '../../api/metrics.js'
import type { SignerLink } from '../../signer/client.js'

export class SignerStatus {
  /** `link`: state of the connection to the signer; undefined: the node holds its keys itself. */
  constructor(
    private readonly link: (() => SignerLink) | undefined,
    wallMs: () => number,
    metrics: Metrics['signer'],
  ) {
    if (link !== undefined) collect(metrics, link, wallMs)
  }

  /** Record of the signer; undefined if the node holds its keys itself. */
  record(): SignerStatusRecord | undefined {
    const link = this.link?.()
    return link && { ...link, acts: link.leaseUntilMs !== undefined }
  }
}

function collect(metrics: Metrics['signer'], read: () => SignerLink, wallMs: () => number): void {
  const link = oncePerScrape(read)
  const labels = () => ({ role: link().leaseUntilMs === undefined ? 'standby' : 'active' })
  /** Time between two moments; undefined if the clock was set back meanwhile. */
  const between = (fromMs: number | undefined, toMs: number | undefined) =>
    fromMs === undefined || toMs === undefined ? [] : [[labels(), Math.max(0, toMs - fromMs) / 1_000] as const]
  collectFrom(metrics.connected, () => [[labels(), Number(link().connected)]])
  collectFrom(metrics.lease, () => between(wallMs(), link().leaseUntilMs))
  collectFrom(metrics.lastSignatureAge, () => between(link().lastSignatureMs, wallMs()))
}
