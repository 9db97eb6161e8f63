import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag, portFlags } from '../../src/cli/command/flags.js'
import { dirHint } from '../../src/cli/localnet/summary.js'
import { localnetFolder } from '../../src/cli/settings/localnet-record.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import type { ConsensusMode } from '../../src/model/parameters.js'

/** Flags that a network which exists has no use for. */
const NEW_ONLY = ['mode', 'peers', 'observers', 'manifest', 'chain', 'gateway-port', 'p2p-port', 'log-level'] as const

/** Templates of new networks. */
const TEMPLATES: Readonly<Record<ConsensusMode, string>> = { permissioned: 'iso-demo', npos: 'npos-4' }

export default class LocalnetUp extends BaseCommand {
  static override description = `Start a network of validators on this machine, one process each, with mutual-TLS links.
The first start creates keys, proofs, topology and a signed genesis; later ones start stopped peers. With the
template iso-demo alice and bob are bound to the IBANs of templates/iso, and the currency EUR to eur#bank.`
  static override examples = [
    '<%= config.bin %> localnet up',
    '<%= config.bin %> localnet up --peers 7 --manifest lanes-3 --dir /tmp/net --gateway-port 9000',
    '<%= config.bin %> localnet up --only val-2',
    '<%= config.bin %> localnet up --faults',
    '<%= config.bin %> localnet up --adopt',
    '<%= config.bin %> localnet up --mode npos --observers 2',
  ]
  static override flags = {
    ...dirFlag,
    peers: Flags.integer({ description: 'number of validators of a new network', default: 4, min: 1, max: 32 }),
    observers: Flags.integer({ description: 'non-voting peers of a new network', default: 0, min: 0, max: 16 }),
    mode: Flags.string({
      description: 'selection of validators of a new network: registered, or elected by stake',
      options: ['permissioned', 'npos'],
      default: 'permissioned',
    }),
    manifest: Flags.string({
      description: 'template of a new network: a name in genesis/ or a path (default: iso-demo, or npos-4 for npos)',
    }),
    chain: Flags.string({ description: 'chain id of a new network', default: 'causeway-local' }),
    ...portFlags,
    'log-level': Flags.string({
      description: 'log level of a new network',
      options: ['warn', 'info', 'debug'],
      default: 'info',
    }),
    only: Flags.string({ description: 'start only this peer; may be repeated', multiple: true }),
    adopt: Flags.boolean({
      description: 'check the files of a network created by another user, and adopt it',
    }),
    faults: Flags.boolean({
      description:
        'route links through proxies, so that `localnet fault` can cut and delay them; kept for later starts',
      allowNo: true,
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(LocalnetUp)
    const { timeoutMs } = await this.settings(flags)
    const folder = localnetFolder(flags.dir)
    const { readLocalnet } = await import('../../src/cli/settings/localnet-record.js')
    const { pickPeers } = await import('../../src/cli/settings/localnet-record.js')
    const { pathsIn } = await import('../../src/node/config/index.js')
    const existing = await readLocalnet(folder)
    if (existing === undefined) {
      if (flags.only !== undefined) throw usageError('--only requires an existing network')
      if (flags.adopt) throw usageError('--adopt requires an existing network')
      const { NEWEST_ABI } = await import('../../src/features/abi.js')
      const { makeLocalnet, templatePath } = await import('../../src/node/genesis/index.js')
      const { writeOwnLocalnet } = await import('../../src/cli/localnet/write.js')
      const mode: ConsensusMode = flags.mode === 'npos' ? 'npos' : 'permissioned'
      const { withProgress } = await import('../../src/cli/terminal/progress.js')
      await withProgress('creating keys and genesis', this.silent, () =>
        makeLocalnet(
          {
            abi: NEWEST_ABI,
            folder,
            template: templatePath(this.config.root, flags.manifest ?? TEMPLATES[mode]),
            mode,
            chain: flags.chain,
            validators: flags.peers,
            observers: flags.observers,
            gatewayPort: flags['gateway-port'],
            p2pPort: flags['p2p-port'],
            logLevel: flags['log-level'],
            nowMs: Date.now(),
          },
          writeOwnLocalnet,
          (text) => this.out.note(text),
        ),
      )
    } else {
      pickPeers(existing, flags.only ?? [])
      const ignored = NEW_ONLY.filter((flag) =>
        this.argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`)),
      )
      if (ignored.length > 0) {
        const flagsText = ignored.map((flag) => `--${flag}`).join(', ')
        throw usageError(
          `${flagsText}: the network in ${folder} already exists`,
          `causeway localnet reset${dirHint(existing)}`,
        )
      }
      if (flags.adopt) await (await import('../../src/cli/localnet/adopt.js')).adopt(folder, pathsIn)
    }
    if (flags.faults !== undefined) await this.arrangeLinks(folder, flags.faults)
    const { bringUp } = await import('../../src/cli/localnet/bring-up.js')
    const { upJson, upText } = await import('../../src/cli/localnet/summary.js')
    const { quorumRow } = await import('../../src/node/genesis/index.js')
    const { net, result, status } = await bringUp({
      folder,
      root: this.config.root,
      timeoutMs,
      silent: this.silent,
      only: flags.only,
      pathsIn,
    })
    // Observers have no vote; their names say what they are.
    const quorum = quorumRow(net.peers.filter((one) => !one.name.startsWith('obs-')).length)
    if (result.started.length === 0) this.out.note('all peers are already running')
    else if (result.already.length > 0) this.out.note(`started ${result.started.join(', ')}`)
    // As the next command finds it: only now there is a network in the folder.
    const { gateway } = await this.settings({})
    this.out.result(upJson(net, status, quorum), upText(net, status, quorum, gateway))
    if (existing === undefined) this.out.hint(`The network keeps running: causeway localnet down${dirHint(net)}`)
  }

  /** Start proxies in front of the peers, or remove them, while none of the peers runs. */
  private async arrangeLinks(folder: string, faults: boolean): Promise<void> {
    const { requireDialers } = await import('../../src/cli/localnet/fault.js')
    const { hasProxies, linksPid } = await import('../../src/cli/localnet/links/process.js')
    const { pidOf } = await import('../../src/cli/localnet/process.js')
    const { requireLocalnet } = await import('../../src/cli/settings/localnet-record.js')
    const { recordProxies } = await import('../../src/cli/localnet/write.js')
    const { choosePorts } = await import('../../src/node/genesis/index.js')
    const net = await requireLocalnet(folder)
    if (hasProxies(net) === faults) return
    if (faults) requireDialers()
    const pids = await Promise.all([linksPid(net), ...net.peers.map(pidOf)])
    if (pids.some((pid) => pid !== undefined)) {
      throw usageError('links can only be changed while no peer is running', `causeway localnet down${dirHint(net)}`)
    }
    const ports = net.peers.flatMap(({ gateway, p2p }) => [gateway, p2p].map((url) => Number(/\d+$/.exec(url)?.[0])))
    const above = Math.max(...ports) + 1
    const free = faults ? await choosePorts(above, net.peers.length, false, '--p2p-port') : undefined
    await recordProxies(folder, free?.base)
  }
}
