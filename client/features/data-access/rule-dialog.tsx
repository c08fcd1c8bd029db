import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import type { AccessRule } from '../../../src/shared/data-access/rules'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'
import type { BuilderDataset } from '../../lib/query-builder/catalogue'
import { useLinkDatasets } from '../../lib/query-builder/linked-datasets'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { Dialog } from '../../ui/dialog'
import { FormSkeleton } from '../../ui/skeletons'
import { useAccessNames } from './access-names'
import { ReviewSteps } from './review-steps'
import { RuleFields } from './rule-fields'
import { NEW_RULE, toRule, toRuleDraft, withRule, withStance, type RuleDraft, type RuleProblems } from './rule-draft'

export interface RuleDialogProps {
  access: DataAccess
  /** Null: a new rule. */
  rule: AccessRule | null
  /** What a new rule begins with. */
  template?: Partial<RuleDraft>
  onClose: () => void
}

/** One rule, written by clicking: who, what, which rows and columns; then what it would mean, and saved. */
export function RuleDialog(props: RuleDialogProps) {
  const { rule, template, onClose } = props
  const datasets = useQuery(loadedDatasetsQuery())
  const { link, pending } = useLinkDatasets()
  const datasetOf = (id: string | null): BuilderDataset | null => {
    const found: Dataset | undefined = datasets.data?.find((one) => one.id === id)
    return found ? link(found) : null
  }
  return (
    <Dialog opened onClose={onClose} title={rule ? 'Edit rule' : 'Create rule'} size="lg">
      {pending ? (
        <FormSkeleton />
      ) : (
        <RuleForm
          {...props}
          datasetOf={datasetOf}
          initial={
            rule ? toRuleDraft(rule, props.access.policy, datasetOf(rule.resource.id)) : { ...NEW_RULE, ...template }
          }
        />
      )}
    </Dialog>
  )
}

interface RuleFormProps extends RuleDialogProps {
  initial: RuleDraft
  datasetOf: (id: string | null) => BuilderDataset | null
}

function useRuleForm({ rule, initial, datasetOf, template }: RuleFormProps) {
  const [first] = useState(initial)
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<RuleProblems>({})
  const kept = useKeptDraft<RuleDraft>({
    // What a suggestion begins with is not work of the person's.
    name: template ? null : `access-rule:${rule?.id ?? 'new'}`,
    base: JSON.stringify(rule),
    value: draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(first),
    apply: setDraft,
    reset: () => setDraft(first),
  })
  const dataset = draft.resource.kind === 'dataset' ? datasetOf(draft.resource.id) : null
  return {
    ...{ draft, problems, kept, dataset },
    set: (next: RuleDraft) => {
      setDraft(next)
      setProblems({})
    },
    setProblems,
    made: toRule(draft, dataset),
  }
}

function RuleForm(props: RuleFormProps) {
  const { access, rule, onClose } = props
  const names = useAccessNames()
  const { draft, problems, kept, dataset, set, setProblems, made } = useRuleForm(props)
  return (
    <ReviewSteps
      {...{ access, onClose }}
      draft={kept}
      change={
        'rule' in made
          ? (policy) =>
              withStance(withRule(policy, draft.id, made.rule), draft.resource, {
                restricted: draft.restricted,
                name: names.resource({ kind: made.rule.resource.kind, id: made.rule.resource.id }),
              })
          : null
      }
      onMissing={() => 'problems' in made && setProblems(made.problems)}
      ask="Review impact"
      save="Save rule"
      saved={rule ? 'Rule saved' : 'Rule created'}
      theirs={describeTheirs(access, rule)}
    >
      <RuleFields {...{ draft, problems, dataset, names, access }} onChange={set} />
    </ReviewSteps>
  )
}

/** What became of the same rule, where somebody else changed it while it was being written. */
function describeTheirs({ policy }: DataAccess, rule: AccessRule | null): string | null {
  if (rule === null) return null
  const theirs = policy.rules.find(({ id }) => id === rule.id)
  if (!theirs) return 'The rule was deleted. Saving yours creates it again.'
  return JSON.stringify(theirs) === JSON.stringify(rule) ? null : `Theirs: ${theirs.name}`
}
