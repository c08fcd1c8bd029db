import { Stack } from '@mantine/core'
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
import { DraftNotice } from '../../ui/forms/draft-notice'
import { DialogForm } from '../../ui/forms/form-dialog'
import { FormSkeleton } from '../../ui/skeletons'
import { useAccessNames } from './access-names'
import { PolicyReview } from './policy-review'
import type { PolicyChange } from './policy-saving'
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
  const [isReviewing, setIsReviewing] = useState(false)
  const { draft, problems, kept, dataset, set, setProblems, made } = useRuleForm(props)
  if (isReviewing && 'rule' in made) {
    const change: PolicyChange = (policy) =>
      withStance(withRule(policy, draft.id, made.rule), draft.resource, draft.restricted)
    return (
      <PolicyReview
        {...{ access, change, onClose }}
        submit="Save rule"
        saved={rule ? 'Rule saved' : 'Rule created'}
        cancel="Back"
        onCancel={() => setIsReviewing(false)}
        theirs={describeTheirs(access, rule)}
        onSaved={() => {
          kept.clear()
          onClose()
        }}
      />
    )
  }
  const review = (): void => ('rule' in made ? setIsReviewing(true) : setProblems(made.problems))
  return (
    <Stack gap={0}>
      <DraftNotice draft={kept} />
      <DialogForm submit="Review impact" onSubmit={review} onClose={onClose}>
        <RuleFields {...{ draft, problems, dataset, names, access }} onChange={set} />
      </DialogForm>
    </Stack>
  )
}

/** What became of the same rule, where somebody else changed it while it was being written. */
function describeTheirs({ policy }: DataAccess, rule: AccessRule | null): string | null {
  if (rule === null) return null
  const theirs = policy.rules.find(({ id }) => id === rule.id)
  if (!theirs) return 'The rule was deleted. Saving yours creates it again.'
  return JSON.stringify(theirs) === JSON.stringify(rule) ? null : `Theirs: ${theirs.name}`
}
