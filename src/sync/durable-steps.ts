import type { WorkflowStep } from 'cloudflare:workers'

/** Work in steps that survive the process: what a step answered is not done again. Answers are plain JSON. */
export interface DurableSteps {
  do<T>(name: string, work: () => Promise<T>): Promise<T>
  sleep(name: string, ms: number): Promise<void>
}

/** Short waits: what fails here is a restart or a busy object; what sources do wrong is an answer and no error. */
const RETRY = { retries: { limit: 4, delay: 500, backoff: 'exponential' as const }, timeout: 120_000 }

/** The platform's own steps. */
export const workflowSteps = (step: WorkflowStep): DurableSteps => ({
  async do<T>(name: string, work: () => Promise<T>): Promise<T> {
    const text = await step.do(name, RETRY, async () => JSON.stringify({ answer: await work() }))
    // Of a load that an earlier release began, what a step answered was kept as it was.
    if (typeof text !== 'string') return text
    const { answer }: { answer: T } = JSON.parse(text)
    return answer
  },
  sleep: (name, ms) => step.sleep(name, ms),
})
