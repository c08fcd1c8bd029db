import { analyzeSubjectInSteps } from './model/analyze-subject'
import type { SubjectTestResults } from './model/candidates'
import type { DesignCache } from './model/regression-design'
import type { AnalysisSubject } from './model/subject'

/** Requests that the same isolate serves come between two steps. */
export async function runAnalysis(subject: AnalysisSubject, designs: DesignCache): Promise<SubjectTestResults> {
  const steps = analyzeSubjectInSteps(subject, designs)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await scheduler.wait(0)
  }
}
