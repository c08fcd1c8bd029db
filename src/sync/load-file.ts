import { WorkflowEntrypoint } from 'cloudflare:workers'
import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers'
import type { Env } from '../env'

/** What starts a load. The scope is rebuilt from the actor at every step. */
export interface LoadFileParams {
  runId: string
  workspaceId: string
  userId: string
  epoch: string
}

/** Loads one file into one dataset in durable steps: begin → segments → swap. */
export class LoadFile extends WorkflowEntrypoint<Env, LoadFileParams> {
  override async run(_event: WorkflowEvent<LoadFileParams>, _step: WorkflowStep): Promise<void> {}
}
