/** Assets and their controls as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as controls from './controls.js'
import { errors } from './errors.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const assetSchema = defineSchema({
  name: 'assets',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions: {
    setFreeze: controls.setFreeze,
    setBlacklist: controls.setBlacklist,
    setLimits: controls.setLimits,
    registerAssetDefinition: instructions.registerAssetDefinition,
    mint: instructions.mint,
    burn: instructions.burn,
    transfer: instructions.transfer,
    unregisterAssetDefinition: instructions.unregisterAssetDefinition,
    transferBatch: instructions.transferBatch,
  },
  events: [
    events.definitionCreated,
    events.definitionDeleted,
    events.mintabilityChanged,
    events.minted,
    events.burned,
    events.transferred,
    events.controlChanged,
    events.held,
    events.released,
  ],
  queries: {
    assetDefinitions: queries.assetDefinitions,
    assetDefinition: queries.assetDefinition,
    assets: queries.assets,
    portfolio: queries.portfolio,
    control: queries.control,
    controls: queries.controls,
    controlCheck: queries.controlCheck,
  },
  parameters: [],
  routes: {
    accountAssets: routes.accountAssetsRoute,
    portfolio: routes.portfolioRoute,
    assets: routes.assetsRoute,
    definitions: routes.definitionsRoute,
    definition: routes.definitionRoute,
    holders: routes.holdersRoute,
    explorerAssets: routes.explorerAssetsRoute,
    explorerDefinitions: routes.explorerDefinitionsRoute,
    explorerDefinition: routes.explorerDefinitionRoute,
    controls: routes.controlsRoute,
    control: routes.controlRoute,
    controlDraft: routes.controlDraftRoute,
    controlCheck: routes.controlCheckRoute,
  },
  topics: { 'ledger asset': 'Asset definitions and transfers', 'ledger holder': 'Who holds an asset' },
})
