import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { readJsonInput } from '../../../src/cli/input/json.js'
import { hashOf } from '../../../src/cli/input/values.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { parseRwaFlags, RWA_POWERS } from '../../../src/cli/rwa/classes.js'
import { classArg } from '../../../src/cli/rwa/forms.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import type { RegisterRwaClass } from '../../../src/features/rwas/schema/instructions.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'
import type { RecordJson } from '../../../src/model/index.js'

export default class RwaClassRegister extends LedgerCommand {
  static override description =
    `Register a class of real-world assets, whose value moves in lots. The key must own the domain, or hold
CanRegisterAssetDefinition. Terms never change, and powers that the issuer does not have from the start cannot be added.`
  static override examples = [
    '<%= config.bin %> rwa class register gold#bank --unit g --scale 2 --key-file admin.json',
    '<%= config.bin %> rwa class register fund#bank --unit share --scale 4 --power redeem --power eligible-only --holders-max 100',
    '<%= config.bin %> rwa class register gold#bank --from class.json',
  ]
  static override args = classArg
  static override flags = {
    unit: Flags.string({ description: 'unit of quantities, at most 16 bytes' }),
    scale: Flags.integer({ description: 'fraction digits of quantities', min: 0, max: 28 }),
    kind: Flags.string({ description: 'kind of assets, at most 32 bytes' }),
    power: Flags.option({
      options: RWA_POWERS,
      description: 'power of the issuer; may be repeated (default: freeze, hold, force and redeem)',
      multiple: true,
    })(),
    'no-powers': Flags.boolean({
      description: 'register the class without powers of the issuer',
      exclusive: ['power'],
    }),
    'holders-max': Flags.integer({ description: 'maximum number of holders at a time', min: 1 }),
    'terms-hash': Flags.string({ description: 'hash of the terms: 64 hex digits' }),
    'terms-uri': Flags.string({ description: 'place of the terms, at most 256 bytes' }),
    isin: Flags.string({ description: 'ISIN of the assets' }),
    from: Flags.string({
      description: 'file with the fields of RegisterRwaClass; flags have priority',
      helpValue: 'FILE',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaClassRegister)
    const file = flags.from === undefined ? {} : await readJsonInput(flags.from)
    const { unit, scale, kind, isin, 'terms-hash': termsHash, 'terms-uri': termsUri, 'holders-max': holdersMax } = flags
    const given = Object.entries({
      unit,
      scale,
      kind,
      isin,
      terms_uri: termsUri,
      holders_max: holdersMax,
      terms_hash: termsHash === undefined ? undefined : hashOf(termsHash),
    }).filter(([, value]) => value !== undefined)
    const record = {
      kind: '',
      flags: parseRwaFlags(flags.power, flags['no-powers']),
      ...(file as object),
      ...Object.fromEntries(given),
    }
    if (flags.power !== undefined || flags['no-powers']) record.flags = parseRwaFlags(flags.power, flags['no-powers'])
    if (!('unit' in record) || !('scale' in record)) {
      throw usageError('the unit and the scale are missing', 'Give --unit and --scale, or a file that has them.')
    }
    await this.send(flags, async ({ asset, read }) => [
      read(instructions.registerRwaClass, {
        ...record,
        id: await asset(args.class),
      } as unknown as RecordJson<RegisterRwaClass>),
    ])
  }
}
