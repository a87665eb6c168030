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
    <name>HistoryPanel</name>
    <message numerus="yes">
        <source>%n site(s)</source>
        <translation>
            <numerusform>%n site</numerusform>
            <numerusform>%n sites</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>Checked %n node(s)</source>
        <translation>
            <numerusform>Checked %n node</numerusform>
            <numerusform>Checked %n nodes</numerusform>
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
</TS>
