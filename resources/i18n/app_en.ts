<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>BannerTexts</name>
    <message numerus="yes">
        <source>%n node(s) have no complete shape</source>
        <translation>
            <numerusform>%n node has no complete shape</numerusform>
            <numerusform>%n nodes have no complete shape</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Blockers</name>
    <message numerus="yes">
        <source>{before} → %n segment(s)</source>
        <translation>
            <numerusform>{before} → %n segment</numerusform>
            <numerusform>{before} → %n segments</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n island(s)</source>
        <translation>
            <numerusform>%n island</numerusform>
            <numerusform>%n islands</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CauseChain</name>
    <message numerus="yes">
        <source>%n crossing(s), {sizes}</source>
        <translation>
            <numerusform>%n crossing, {sizes}</numerusform>
            <numerusform>%n crossings, {sizes}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClauseDialog</name>
    <message numerus="yes">
        <source>Show %n node(s) that fail it</source>
        <translation>
            <numerusform>Show the node that fails it</numerusform>
            <numerusform>Show %n nodes that fail it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message numerus="yes">
        <source>%n node(s) found</source>
        <translation>
            <numerusform>%n node found</numerusform>
            <numerusform>%n nodes found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparePanel</name>
    <message numerus="yes">
        <source>None of %n node(s) changes</source>
        <translation>
            <numerusform>The one node does not change</numerusform>
            <numerusform>None of %n nodes changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {all} nodes change(s)</source>
        <translation>
            <numerusform>%n of {all} nodes changes</numerusform>
            <numerusform>%n of {all} nodes change</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in another number format</source>
        <translation>
            <numerusform>%n node in another number format</numerusform>
            <numerusform>%n nodes in another number format</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message numerus="yes">
        <source>%n nodes selected</source>
        <translation>
            <numerusform>%n node selected</numerusform>
            <numerusform>%n nodes selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message numerus="yes">
        <source>%n more fault(s) since; their reports are below.</source>
        <translation>
            <numerusform>%n more fault since; its report is below.</numerusform>
            <numerusform>%n more faults since; their reports are below.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Habits</name>
    <message numerus="yes">
        <source>%n accepted rewrite(s)</source>
        <translation>
            <numerusform>%n accepted rewrite</numerusform>
            <numerusform>%n accepted rewrites</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message numerus="yes">
        <source>%n site(s)</source>
        <translation>
            <numerusform>%n site</numerusform>
            <numerusform>%n sites</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) replaced by {added}</source>
        <translation>
            <numerusform>%n node replaced by {added}</numerusform>
            <numerusform>%n nodes replaced by {added}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LastSessionCard</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reopen %n model(s)</source>
        <translation>
            <numerusform>Reopen %n model</numerusform>
            <numerusform>Reopen %n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LoadingCard</name>
    <message numerus="yes">
        <source>about %n s</source>
        <translation>
            <numerusform>about %n s</numerusform>
            <numerusform>about %n s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message numerus="yes">
        <source>%n record(s)</source>
        <translation>
            <numerusform>%n record</numerusform>
            <numerusform>%n records</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Navigator</name>
    <message numerus="yes">
        <source>%n box(es) upstream</source>
        <translation>
            <numerusform>%n box upstream</numerusform>
            <numerusform>%n boxes upstream</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) downstream</source>
        <translation>
            <numerusform>%n box downstream</numerusform>
            <numerusform>%n boxes downstream</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) upstream within {hops} hops</source>
        <translation>
            <numerusform>%n box upstream within {hops} hops</numerusform>
            <numerusform>%n boxes upstream within {hops} hops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) downstream within {hops} hops</source>
        <translation>
            <numerusform>%n box downstream within {hops} hops</numerusform>
            <numerusform>%n boxes downstream within {hops} hops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) on the paths between both nodes</source>
        <translation>
            <numerusform>%n box on the paths between both nodes</numerusform>
            <numerusform>%n boxes on the paths between both nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutlineModel</name>
    <message numerus="yes">
        <source>{name}, %n node(s)</source>
        <translation>
            <numerusform>{name}, %n node</numerusform>
            <numerusform>{name}, %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreviewView</name>
    <message numerus="yes">
        <source>%n segment(s)</source>
        <translation>
            <numerusform>%n segment</numerusform>
            <numerusform>%n segments</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n crossing(s)</source>
        <translation>
            <numerusform>%n crossing</numerusform>
            <numerusform>%n crossings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProofHead</name>
    <message numerus="yes">
        <source>%n comparison(s) done</source>
        <translation>
            <numerusform>%n comparison done</numerusform>
            <numerusform>%n comparisons done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n input set(s)</source>
        <translation>
            <numerusform>%n input set</numerusform>
            <numerusform>%n input sets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) compared in {seconds} s</source>
        <translation>
            <numerusform>%n tensor compared in {seconds} s</numerusform>
            <numerusform>%n tensors compared in {seconds} s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryCards</name>
    <message numerus="yes">
        <source>Show %n older</source>
        <translation>
            <numerusform>Show %n older</numerusform>
            <numerusform>Show %n older</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard %n older</source>
        <translation>
            <numerusform>Discard %n older</numerusform>
            <numerusform>Discard %n older</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted rewrite(s)</source>
        <translation>
            <numerusform>%n accepted rewrite</numerusform>
            <numerusform>%n accepted rewrites</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) for single nodes</source>
        <translation>
            <numerusform>%n request for single nodes</numerusform>
            <numerusform>%n requests for single nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n size(s)</source>
        <translation>
            <numerusform>%n size</numerusform>
            <numerusform>%n sizes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SeveralPanel</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>fits %n of the selected nodes</source>
        <translation>
            <numerusform>fits %n of the selected nodes</numerusform>
            <numerusform>fits %n of the selected nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SumTexts</name>
    <message numerus="yes">
        <source>{figure}, %n node(s) not counted</source>
        <translation>
            <numerusform>{figure}, %n node not counted</numerusform>
            <numerusform>{figure}, %n nodes not counted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SummaryPanel</name>
    <message numerus="yes">
        <source>{n} of %n node(s) are not placed on the BPU</source>
        <translation>
            <numerusform>{n} of %n node is not placed on the BPU</numerusform>
            <numerusform>{n} of %n nodes are not placed on the BPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n verdict(s) rest on inference</source>
        <translation>
            <numerusform>%n verdict rests on inference</numerusform>
            <numerusform>%n verdicts rest on inference</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TabHabits</name>
    <message numerus="yes">
        <source>%n rewrite(s) were accepted. They can be done again on the file as it is now.</source>
        <translation>
            <numerusform>%n rewrite was accepted. It can be done again on the file as it is now.</numerusform>
            <numerusform>%n rewrites were accepted. They can be done again on the file as it is now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s) done again and proven</source>
        <translation>
            <numerusform>%n rewrite done again and proven</numerusform>
            <numerusform>%n rewrites done again and proven</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s) were not done again</source>
        <translation>
            <numerusform>%n rewrite was not done again</numerusform>
            <numerusform>%n rewrites were not done again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TargetBar</name>
    <message numerus="yes">
        <source>%n segment(s)</source>
        <translation>
            <numerusform>%n segment</numerusform>
            <numerusform>%n segments</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n crossing(s)</source>
        <translation>
            <numerusform>%n crossing</numerusform>
            <numerusform>%n crossings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Telling</name>
    <message numerus="yes">
        <source>Checked %n node(s)</source>
        <translation>
            <numerusform>Checked %n node</numerusform>
            <numerusform>Checked %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s), not saved</source>
        <translation>
            <numerusform>%n change, not saved</numerusform>
            <numerusform>%n changes, not saved</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Counts</name>
    <message numerus="yes">
        <source>%n fix(es)</source>
        <translation>
            <numerusform>%n fix</numerusform>
            <numerusform>%n fixes</numerusform>
        </translation>
    </message>
</context>
</TS>
