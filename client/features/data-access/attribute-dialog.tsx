import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import type { UserAttribute } from '../../../src/shared/data-access/rules'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { Dialog } from '../../ui/dialog'
import { keyFromLabel, toAttribute, toAttributeDraft, withAttribute, type AttributeDraft } from './attribute-draft'
import { ReviewSteps } from './review-steps'

const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
] as const

interface AttributeDialogProps {
  access: DataAccess
  attribute: UserAttribute | null
  onClose: () => void
}

/** What an attribute is called and what it holds; then what it would mean, and saved. */
export function AttributeDialog({ access, attribute, onClose }: AttributeDialogProps) {
  const [first] = useState(() => toAttributeDraft(attribute))
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const kept = useKeptDraft<AttributeDraft>({
    name: `access-attribute:${attribute?.id ?? 'new'}`,
    base: JSON.stringify(attribute),
    value: draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(first),
    apply: setDraft,
    reset: () => setDraft(first),
  })
  // As they were when it was opened: else the key that was just saved is its own double.
  const [others] = useState(() =>
    access.policy.attributes.filter(({ id }) => id !== attribute?.id).map(({ key }) => key),
  )
  const made = toAttribute(draft, others)
  const id = attribute?.id ?? null
  return (
    <Dialog opened onClose={onClose} title={attribute ? 'Edit attribute' : 'Create attribute'} size="lg">
      <ReviewSteps
        {...{ access, onClose }}
        draft={kept}
        change={'attribute' in made ? (policy) => withAttribute(policy, id, made.attribute) : null}
        onMissing={() => 'problems' in made && setProblems(made.problems)}
        ask="Review impact"
        save="Save attribute"
        saved={attribute ? 'Attribute saved' : 'Attribute created'}
      >
        <AttributeFields
          {...{ draft, problems }}
          isNew={attribute === null}
          onChange={(next) => {
            setDraft(next)
            setProblems({})
          }}
        />
      </ReviewSteps>
    </Dialog>
  )
}

interface AttributeFieldsProps {
  draft: AttributeDraft
  problems: Record<string, string>
  isNew: boolean
  onChange: (draft: AttributeDraft) => void
}

function AttributeFields({ draft, problems, isNew, onChange }: AttributeFieldsProps) {
  const { label, key, type, multiple, defaults } = draft
  // Until it is written by hand, the key follows the name.
  const rename = (text: string): void =>
    onChange({ ...draft, label: text, key: isNew && key === keyFromLabel(label) ? keyFromLabel(text) : key })
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Region"
        maxLength={80}
        value={label}
        error={problems['label']}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        label="Key"
        description="In rules: {key}"
        readOnly={!isNew}
        maxLength={40}
        value={key}
        error={problems['key']}
        onChange={(event) => onChange({ ...draft, key: event.currentTarget.value })}
      />
      <Select
        label="Type"
        data={TYPES}
        value={type}
        onChange={(next) => next && onChange({ ...draft, type: next, defaults: [] })}
      />
      <Checkbox
        label="Multiple values"
        checked={multiple}
        onChange={(event) => onChange({ ...draft, multiple: event.currentTarget.checked })}
      />
      <TagsInput
        label="Default"
        description="For people without a value. Without one, rules that ask it show nothing."
        value={defaults}
        {...(multiple ? {} : { maxTags: 1 })}
        error={problems['defaults']}
        onChange={(next) => onChange({ ...draft, defaults: next })}
      />
    </>
  )
}
