/** Genesis files: topology, manifest, templates, the signed file. */
export { writeNew } from '../../files/write-file.js'
export { addInstructions } from './amend.js'
export { differencesOf, type GenesisDifference, genesisTwin } from './compare.js'
export {
  decodeGenesis,
  GENESIS_FRAME,
  GENESIS_FRAME_ID,
  readGenesisFile,
  writeGenesisFile,
} from './file.js'
export { readBytes, readJsonFile } from './json-file.js'
export { type ManifestOptions, parseManifest, readManifest } from './manifest.js'
export { ledgerObjects } from './objects.js'
export { peerCardText, peerKeyOf, readPeerCard } from './peer-card.js'
export { choosePorts, isFree, type PortRange, takenPorts } from './ports.js'
export {
  DEV_KEYS,
  type LocalnetOptions,
  makeLocalnet,
  type Provisioned,
  type ProvisionOptions,
  provision,
} from './provision.js'
export { accountsOf, fillTemplate, peerTexts, type TemplateValues, templatePath } from './template.js'
export { parseTopology, type QuorumRow, quorumRow, readTopology, sizeAdvice, type TopologyPeer } from './topology.js'
export { entryOf, newEntry, type PeerEntry, topologyText } from './topology-text.js'
