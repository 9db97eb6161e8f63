/** Owns the section `governance` of the genesis manifest: sealed roles, tracks, permissions, an initial council. */
import { type Infer, list, option, struct, u8, u16, varint, withDefaults } from '../../../codec/index.js'
import type { GenesisSection } from '../../../executor/feature.js'
import { accountId, domainId, instruction, name, TOKENS_MAX } from '../../../model/index.js'
import { instructions as permissionInstructions, permissionSubject } from '../../permissions/schema.js'
import { instructions } from '../schema/instructions.js'
import { councilMembers, ELECTORS_MAX, govTrack, TRACKS_MAX } from '../schema/records.js'
import { GOV_ACCOUNT } from './account.js'

const seal_ = struct('GenesisSeal', { role: name, members: list(accountId, ELECTORS_MAX) })
const council_ = struct('GenesisCouncil', { members: councilMembers, untilMs: varint })
/** Track whose absent times mean no lead and no late swing. */
const track_ = withDefaults(govTrack, { lead_ms: 0, late_ms: 0, early: false, places: 16 })
const section_ = struct('GenesisGovernance', {
  /** Home of the governance account. */
  domain: domainId,
  seals: list(seal_, TRACKS_MAX),
  tracks: list(struct('GenesisTrack', { id: u8, track: track_ }), TRACKS_MAX),
  /** Permissions of the governance account. */
  permissions: list(permissionSubject, TOKENS_MAX),
  vetoBps: option(u16),
  council: option(council_),
})

/** Runs after all other instructions, because roles and definitions of electorates must exist. */
export const genesisGovernance: GenesisSection<Infer<typeof section_>> = {
  section: 'governance',
  schema: withDefaults(section_, { seals: [], permissions: [] }),
  runsLast: true,
  instructionsOf: ({ domain, seals, tracks, permissions, vetoBps, council }) => [
    ...seals.map((one) => instruction(instructions.sealRole, one)),
    instruction(instructions.foundGovernance, { domain, tracks, vetoBps }),
    ...permissions.map((value) =>
      instruction(permissionInstructions.grant, {
        subject: { kind: 'permission', value },
        to: { kind: 'account', value: GOV_ACCOUNT },
      }),
    ),
    ...(council === undefined ? [] : [instruction(instructions.appointCouncil, council)]),
  ],
}
