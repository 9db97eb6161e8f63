import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { dirFlag, localnetFolder } from '../../src/cli/flags.js'
import { pickPeers } from '../../src/cli/localnet/pick.js'
import { requireLocalnet } from '../../src/cli/localnet/record.js'
import { LedgerError } from '../../src/model/errors.js'

/** What a fault does to a process. */
const SIGNALS = { kill: 'SIGKILL', pause: 'SIGSTOP', resume: 'SIGCONT' } as const
const DONE = { kill: 'killed', pause: 'paused', resume: 'goes on' } as const
type Fault = keyof typeof SIGNALS

export default class LocalnetFault extends BaseCommand {
  static override description = `Break a peer of the local network, to see the others go on: watch the view change live.
kill ends the process as a power failure would, pause stops it without ending it, resume lets it go on. A killed peer
starts again with \`localnet up\`.`
  static override examples = [
    '<%= config.bin %> localnet fault kill val-2',
    '<%= config.bin %> localnet fault pause val-0',
    '<%= config.bin %> localnet fault resume val-0',
  ]
  static override args = {
    fault: Args.string({
      description: 'what happens',
      required: true,
      options: Object.keys(SIGNALS),
      ignoreStdin: true,
    }),
    peer: Args.string({ description: 'name of the peer', required: true, ignoreStdin: true }),
  }
  static override flags = dirFlag

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LocalnetFault)
    const fault = args.fault as Fault
    const { pidOf } = await import('../../src/cli/localnet/process.js')
    const net = await requireLocalnet(localnetFolder(flags.dir))
    const [peer] = pickPeers(net, [args.peer])
    const pid = peer === undefined ? undefined : await pidOf(peer)
    if (pid === undefined) {
      throw new LedgerError('unreachable', `${args.peer} does not run`, {
        hint: 'Start it with `causeway localnet up`.',
      })
    }
    process.kill(pid, SIGNALS[fault])
    this.out.result({ peer: args.peer, fault, pid }, `${args.peer} ${DONE[fault]} (process ${pid})`)
  }
}
