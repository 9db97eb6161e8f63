/** Execution of governance (docs/concepts/gov.md). */
import { defineLedger } from '../../../executor/feature.js'
import { CAN_MANAGE_GOVERNANCE } from '../../../ledger/permission-kinds.js'
import { govSchema } from '../schema/index.js'
import { castBallot } from './ballots.js'
import { appointCouncil, councilVote } from './council.js'
import { activateReadyUpgrade, attestAbi, setElector, upgradeReadiness } from './electors.js'
import { parameterFloor } from './floor.js'
import { genesisGovernance } from './genesis.js'
import { govIndexes } from './indexes.js'
import { lockVotes, withdrawVotes } from './locks.js'
import { approveDeployment, namespaceGate, setProtectedNamespaces } from './namespaces.js'
import { listOutcome } from './outcome.js'
import { cancelProposal, submitProposal, withdrawProposal } from './proposals.js'
import * as queries from './queries.js'
import { roleSeal, sealRole } from './seals.js'
import * as status from './status-queries.js'
import { enactProposal, finalizeProposal, stepRun } from './steps.js'
import { GOV_TABLE_LIST } from './tables.js'
import { foundGovernance, removeTrack, setTrack } from './tracks.js'

export const govLedger = defineLedger(govSchema, {
  tables: GOV_TABLE_LIST,
  execute: {
    foundGovernance,
    setTrack,
    removeTrack,
    sealRole,
    setElector,
    lockVotes,
    withdrawVotes,
    submitProposal,
    castBallot,
    withdrawProposal,
    cancelProposal,
    finalizeProposal,
    enactProposal,
    attestAbi,
    activateReadyUpgrade,
    appointCouncil,
    councilVote,
    setProtectedNamespaces,
    approveDeployment,
  },
  queries: {
    govStatus: status.statusQuery,
    govTracks: status.tracksQuery,
    govProposals: queries.proposalsQuery,
    govProposal: queries.proposalQuery,
    govReferendum: queries.referendumQuery,
    govTally: queries.tallyQuery,
    govLocks: status.locksQuery,
    govAccount: status.accountQuery,
    govCouncil: status.councilQuery,
    govCouncilActs: status.councilActsQuery,
    govNamespaces: status.namespacesQuery,
    govNamespace: status.namespaceQuery,
    govUnlocks: status.unlocksQuery,
    govPeers: status.peersQuery,
    govSimulation: queries.simulationQuery,
  },
  permissions: [CAN_MANAGE_GOVERNANCE],
  scheduled: [stepRun],
  policies: { roleSeal, parameterFloor, listOutcome, upgradeReadiness, namespaceGate },
  genesis: genesisGovernance,
  indexes: govIndexes,
})
