import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { runSync } from './run-sync'
import type { Env } from '../../bindings'
import { depsFor } from '../../deps'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import { workflowSteps } from '../../sync/durable-steps'

/** One instance a source and slot: its id is that of the sync. */
export class SyncSource extends WorkflowEntrypoint<Env, SyncSourceParams> {
  override async run(event: WorkflowEvent<SyncSourceParams>, step: WorkflowStep): Promise<void> {
    await runSync(workflowSteps(step), () => depsFor(this.env, this.ctx), event.payload)
  }
}
