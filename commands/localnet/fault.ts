import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag } from '../../src/cli/command/flags.js'
import { localnetFolder, pickPeers, requireLocalnet } from '../../src/cli/settings/localnet-record.js'
import { usageError } from '../../src/cli/terminal/failure.js'

/** Delay of each message when nobody says how late. */
const DEFAULT_DELAY = '500ms'

export default class LocalnetFault extends BaseCommand {
  static override description =
    `Inject a fault into a peer of the local network, to watch the view change of the others.
kill ends the process like a power failure, pause suspends it, resume continues it. A killed peer
starts again with \`localnet up\`. partition cuts every link of the peer, delay slows every message from and to it;
both last until the same command with --heal, and require a network started with \`localnet up --faults\`.`
  static override examples = [
    '<%= config.bin %> localnet fault kill val-2',
    '<%= config.bin %> localnet fault pause val-0',
    '<%= config.bin %> localnet fault resume val-0',
    '<%= config.bin %> localnet fault partition val-2',
    '<%= config.bin %> localnet fault partition val-2 --heal',
    '<%= config.bin %> localnet fault delay val-1 --by 800ms',
  ]
  static override args = {
    fault: Args.string({
      description: 'kind of fault',
      required: true,
      options: ['kill', 'pause', 'resume', 'partition', 'delay'],
      ignoreStdin: true,
    }),
    peer: Args.string({ description: 'name of the peer', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...dirFlag,
    by: Flags.string({
      description: `delay of each message, one way (default ${DEFAULT_DELAY})`,
      helpValue: 'DURATION',
    }),
    heal: Flags.boolean({ description: 'end a partition or a delay' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LocalnetFault)
    const { breakLinks, breakProcess, isProcessFault } = await import('../../src/cli/localnet/fault.js')
    if (flags.by !== undefined && (args.fault !== 'delay' || flags.heal)) {
      const what = flags.heal ? '--heal has no duration' : `${args.fault} has no duration`
      throw usageError(`--by is the delay of messages; ${what}`)
    }
    const net = await requireLocalnet(localnetFolder(flags.dir))
    const [peer] = pickPeers(net, [args.peer])
    if (peer === undefined) throw new Error('pickPeers did not return the requested peer')
    if (isProcessFault(args.fault)) {
      if (flags.heal) throw usageError(`--heal ends a partition or a delay, not ${args.fault}`)
      const { pid, done } = await breakProcess(peer, args.fault)
      return this.out.result({ peer: peer.name, fault: args.fault, pid }, `${peer.name} ${done} (process ${pid})`)
    }
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const byMs = parseDuration(flags.by ?? DEFAULT_DELAY, '--by')
    const fault = args.fault === 'partition' ? 'partition' : 'delay'
    const links = await breakLinks(net, peer.name, { fault, byMs, heal: flags.heal })
    const text = `${peer.name} ${links ?? 'has no faulty links'}`
    this.out.result({ peer: peer.name, fault, healed: flags.heal, links: links ?? null }, text)
  }
}
