import { Flags } from '@oclif/core'
import type { SignerStatus } from '../src/api/index.js'
import { sleep } from '../src/base/sleep.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { getView, optionalView, textOf, type View, viewsOf, withGateway } from '../src/cli/gateway/gateway.js'
import { parseDuration } from '../src/cli/input/duration.js'
import type { Settings } from '../src/cli/settings/settings.js'
import { pairs } from '../src/cli/terminal/output.js'
import { signerText } from '../src/cli/text/signer.js'
import type { CausewayClient } from '../src/client/index.js'
import type { Json } from '../src/codec/index.js'
import { EXIT, LedgerError } from '../src/model/errors.js'

/** Pause between two looks at a node that is not healthy yet, in ms. */
const WAIT_POLL_MS = 250

export default class Status extends BaseCommand {
  static override description =
    `Show the status of a node: chain, height, block, state root, peers, queue, and the reason of a stall.
With --check it exits 10 if the node is not synced, not in a quorum, stalled or halted, or is a validator that abstains or whose signer does not respond;
with --wait it polls until none of the first four applies.`
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status --check --gateway http://127.0.0.1:8081',
    '<%= config.bin %> status --wait 30s',
  ]
  static override flags = {
    check: Flags.boolean({ description: 'exit 10 if the node is not healthy, or does not vote' }),
    wait: Flags.string({ description: 'poll until the node is healthy, at most this long, such as 30s' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Status)
    const settings = await this.settings(flags)
    const read = (): Promise<Health> =>
      withGateway(settings, healthOf, flags.wait === undefined ? undefined : { retries: 0, endless: true })
    const { status, consensus, faults } =
      flags.wait === undefined ? await read() : await this.waitFor(read, parseDuration(flags.wait, '--wait'))
    const healthy = faults.length === 0
    const signer = signerOf(optionalView(consensus.signer))
    const withoutVote = textOf(consensus.abstaining) ?? (isAway(signer) ? SIGNER_AWAY : undefined)
    const text = pairs([
      ['gateway', settings.gateway],
      ['chain', textOf(status.chain)],
      ['version', textOf(status.version)],
      ['health', healthy ? 'healthy' : await this.named(settings, faults.join('; '))],
      ['votes', withoutVote === undefined ? undefined : `no: ${withoutVote}`],
      ['signer', signer && signerText(signer)],
      ['height', textOf(consensus.height)],
      ['block', textOf(consensus.block_hash)],
      ['state root', textOf(consensus.state_root)],
      [
        'view',
        `${textOf(consensus.view)} of height ${textOf(consensus.deciding_height)}, ${textOf(consensus.view_changes)} view changes`,
      ],
      ['upgrade', missingAbiText(optionalView(status.missing_abi))],
      ['peers', `${textOf(status.peers)} connected, quorum ${textOf(consensus.quorum)}`],
      [
        'transactions',
        `${textOf(status.txs_approved)} approved, ${textOf(status.txs_rejected)} rejected, ${textOf(status.queue_size)} queued`,
      ],
    ])
    this.out.result({ gateway: settings.gateway, healthy, faults, status, consensus }, text)
    if (flags.check && (!healthy || withoutVote !== undefined)) this.exitWith(EXIT.checkFailed)
  }

  /** A text with the names of the validators in it. */
  private async named(settings: Settings, text: string): Promise<string> {
    if (this.out.json) return text
    const { directoryOf } = await import('../src/cli/gateway/directory.js')
    return withGateway(settings, async (client) => (await directoryOf(client, settings.gateway, text)).named(text))
  }

  /** Poll until the node is healthy; throws `pending` with the remaining faults at the timeout. */
  private async waitFor(read: () => Promise<Health>, forMs: number): Promise<Health> {
    const deadlineMs = performance.now() + forMs
    return this.withBar('catching up', 'blocks', async (report) => {
      for (;;) {
        const health = await read().catch((error: Error) => error)
        if (!(health instanceof Error)) {
          if (health.faults.length === 0) return health
          const done = Number(textOf(health.consensus.height) ?? 0)
          report({ done, total: health.target, note: health.faults.join('; ') })
        }
        if (performance.now() > deadlineMs) {
          const why = health instanceof Error ? health.message : health.faults.join('; ')
          throw new LedgerError('pending', `the node is not healthy yet: ${why}`)
        }
        await sleep(WAIT_POLL_MS)
      }
    })
  }
}

/** What a node says about itself, and what is wrong with it in words. */
interface Health {
  readonly status: View
  readonly consensus: View
  readonly faults: readonly string[]
  /** Height of the peer that is farthest ahead, by what it said last; undefined where none is ahead. */
  readonly target: number | undefined
}

/** Reason why a node without a response of its signer does not vote: it was active until then, or it cannot take over. */
const SIGNER_AWAY = 'its signer does not respond'

const isAway = (signer: SignerStatus | undefined): boolean => signer?.connected === false

/** The node at its signer; undefined of one that has its keys itself. */
function signerOf(signer: View | undefined): SignerStatus | undefined {
  if (signer === undefined) return undefined
  const timeOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
  return {
    connected: signer.connected === true,
    acts: signer.acts === true,
    leaseUntilMs: timeOf(signer.lease_until_ms),
    lastSignatureMs: timeOf(signer.last_signature_ms),
  }
}

/** What the node lacks for an upgrade to come. */
const missingAbiText = (missing: View | undefined): string | undefined =>
  missing &&
  `${textOf(missing.upgrade)}: this release does not support ABI ${textOf(missing.abi_version)}, needed from height ${textOf(missing.from_height)}`

/** Progress has no target where only operators may see the peers. */
function withoutPeers(error: unknown): View {
  if (error instanceof LedgerError) return { items: [] }
  throw error
}

async function healthOf(client: CausewayClient): Promise<Health> {
  const [status, consensus, peers] = await Promise.all([
    getView(client, ({ node }) => node.status),
    getView(client, ({ node }) => node.consensusStatus),
    getView(client, ({ node }) => node.peers).catch(withoutPeers),
  ])
  const ahead = Math.max(...viewsOf(peers.items).map(({ height }) => Number(height ?? 0)), 0)
  const stall = optionalView(consensus.stall)
  const halted = textOf(consensus.halted)
  const states = [
    status.synced === true ? undefined : 'not synced',
    status.in_quorum === true ? undefined : 'not in a quorum',
    stall === undefined ? undefined : `stalled: ${textOf(stall.text)}`,
  ].filter((one) => one !== undefined)
  // Everything else follows from the halt.
  const faults = halted === undefined ? states : [`halted: ${halted}`]
  return { status, consensus, faults, target: ahead > Number(textOf(consensus.height) ?? 0) ? ahead : undefined }
}
