import { Args, Flags } from '@oclif/core'
import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ZkVkShow extends ReadCommand {
  static override description = 'Show a verifying key: its commitment, its status, its heights.'
  static override examples = [
    '<%= config.bin %> zk vk show conference-roster',
    '<%= config.bin %> zk vk show conference-roster --json',
  ]
  static override args = { name: Args.string({ description: 'name of the key', required: true, ignoreStdin: true }) }
  static override flags = {
    backend: Flags.string({ description: 'proof system of the key', default: 'sigma-ristretto255' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ZkVkShow)
    const params = { backend: flags.backend, name: args.name }
    const fields = {
      backend: 'id.backend',
      name: 'id.name',
      circuit: 'key.circuit_id',
      version: 'key.version',
      commitment: 'key.commitment',
      status: 'key.status',
      'first height': 'key.activation_height',
      'withdrawn from': 'key.withdraw_height',
      verifies: 'verifies',
    }
    await this.showFields(flags, ({ zk }) => zk.verifyingKey, { params }, fields)
  }
}
