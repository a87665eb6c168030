<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Where each node runs on a BPU, why, and what fixes it.</source>
        <translation>每个节点在 BPU 上运行在哪里、原因是什么、怎样修复。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Accepting</name>
    <message>
        <source>Approximate rewrite</source>
        <translation>近似改写</translation>
    </message>
    <message>
        <source>“{title}” computes another function.</source>
        <translation>“{title}”计算的是另一个函数。</translation>
    </message>
    <message>
        <source>Its results may differ by up to {error} of the largest value; the outputs of this model differ by {worst}. The recipe and reports will say so.</source>
        <translation>其结果与原函数之差可达最大值的 {error} 倍；本模型的输出相差 {worst}。改写记录和报告会注明这一点。</translation>
    </message>
    <message>
        <source>Accept the error</source>
        <translation>接受该误差</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ActionReasons</name>
    <message>
        <source>No model is open.</source>
        <translation>没有打开的模型。</translation>
    </message>
    <message>
        <source>No preview is open.</source>
        <translation>没有打开的预览。</translation>
    </message>
    <message>
        <source>No fix applies here.</source>
        <translation>没有可用的修复。</translation>
    </message>
    <message>
        <source>No unsaved change.</source>
        <translation>没有未保存的修改。</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>没有可撤销的操作。</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>没有可重做的操作。</translation>
    </message>
    <message>
        <source>No node is selected.</source>
        <translation>没有选中节点。</translation>
    </message>
    <message>
        <source>This node has no attributes.</source>
        <translation>该节点没有属性。</translation>
    </message>
    <message>
        <source>Nothing is asked of this node: choose Run on or Number format first.</source>
        <translation>没有对该节点提出要求：请先选择“运行在”或“数值格式”。</translation>
    </message>
    <message>
        <source>A preview is open.</source>
        <translation>正在预览改写。</translation>
    </message>
    <message>
        <source>Nothing is traced.</source>
        <translation>没有正在进行的追踪。</translation>
    </message>
    <message>
        <source>No other node was selected before.</source>
        <translation>之前没有选中过其他节点。</translation>
    </message>
    <message>
        <source>No node to go forward to.</source>
        <translation>没有可前进到的节点。</translation>
    </message>
    <message>
        <source>Bookmark {n} is not set: select a node and press Ctrl+{n}.</source>
        <translation>书签 {n} 还没有设置：选中节点后按 Ctrl+{n}。</translation>
    </message>
    <message>
        <source>All inputs have fixed sizes.</source>
        <translation>所有输入的尺寸都已固定。</translation>
    </message>
    <message>
        <source>No size is set: choose Set sizes first.</source>
        <translation>尚未设置尺寸：请先选择“设定尺寸”。</translation>
    </message>
    <message>
        <source>No node of the main graph is selected.</source>
        <translation>没有选择主图中的节点。</translation>
    </message>
    <message>
        <source>The verification is running.</source>
        <translation>正在验证。</translation>
    </message>
    <message>
        <source>No rewrite was accepted yet, so there is nothing to compare with the original.</source>
        <translation>还没有接受任何改写，没有可与原模型比较的内容。</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Bookmarks</source>
        <translation>书签(&amp;B)</translation>
    </message>
    <message>
        <source>Set boo&amp;kmark</source>
        <translation>设置书签(&amp;K)</translation>
    </message>
    <message>
        <source>Arran&amp;gement</source>
        <translation>布局(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新载入(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Set si&amp;zes…</source>
        <translation>设定尺寸(&amp;Z)…</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation>关闭标签页(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy node name</source>
        <translation>复制节点名(&amp;C)</translation>
    </message>
    <message>
        <source>Copy table &amp;row</source>
        <translation>复制表格行(&amp;R)</translation>
    </message>
    <message>
        <source>Copy &amp;attributes</source>
        <translation>复制属性(&amp;A)</translation>
    </message>
    <message>
        <source>Copy as &amp;YAML</source>
        <translation>复制为 YAML(&amp;Y)</translation>
    </message>
    <message>
        <source>Copy node_&amp;info</source>
        <translation>复制 node_info(&amp;I)</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Find nodes</source>
        <translation>查找节点(&amp;F)</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Preview best fix</source>
        <translation>预览最佳修复(&amp;P)</translation>
    </message>
    <message>
        <source>Preview best fix at a&amp;ll sites</source>
        <translation>在所有位置预览最佳修复(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Accept</source>
        <translation>接受(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Reject</source>
        <translation>放弃(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Verify</source>
        <translation>验证(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Freeze the sizes that are set</source>
        <translation>固定已设置的尺寸(&amp;F)</translation>
    </message>
    <message>
        <source>Fold &amp;constants and shape chains</source>
        <translation>折叠常量与形状链(&amp;C)</translation>
    </message>
    <message>
        <source>Remove &amp;dead nodes</source>
        <translation>移除无用节点(&amp;D)</translation>
    </message>
    <message>
        <source>Give repeated node names &amp;new ones</source>
        <translation>为重名节点改名(&amp;N)</translation>
    </message>
    <message>
        <source>Convert the &amp;opset…</source>
        <translation>转换 opset(&amp;O)…</translation>
    </message>
    <message>
        <source>End in N&amp;HWC</source>
        <translation>以 NHWC 输出(&amp;H)</translation>
    </message>
    <message>
        <source>Simplif&amp;y with onnxslim</source>
        <translation>用 onnxslim 简化(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Extract the selection…</source>
        <translation>提取所选节点(&amp;E)…</translation>
    </message>
    <message>
        <source>Cut &amp;behind the selection…</source>
        <translation>在所选节点之后切分(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Next problem</source>
        <translation>下一个问题(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous problem</source>
        <translation>上一个问题(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Back to the node before</source>
        <translation>回到上一个节点(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward again</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>To the p&amp;roducer</source>
        <translation>到生产者(&amp;R)</translation>
    </message>
    <message>
        <source>To the &amp;consumer</source>
        <translation>到消费者(&amp;C)</translation>
    </message>
    <message>
        <source>To the &amp;left in the rank</source>
        <translation>到同层左侧(&amp;L)</translation>
    </message>
    <message>
        <source>To the ri&amp;ght in the rank</source>
        <translation>到同层右侧(&amp;G)</translation>
    </message>
    <message>
        <source>Trace &amp;upstream</source>
        <translation>追踪上游(&amp;U)</translation>
    </message>
    <message>
        <source>Trace &amp;downstream</source>
        <translation>追踪下游(&amp;D)</translation>
    </message>
    <message>
        <source>Pa&amp;th to…</source>
        <translation>到另一节点的路径(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;End the trace</source>
        <translation>结束追踪(&amp;E)</translation>
    </message>
    <message>
        <source>Show in the node t&amp;able</source>
        <translation>在节点表中显示(&amp;A)</translation>
    </message>
    <message>
        <source>Show on the can&amp;vas</source>
        <translation>在图中显示(&amp;V)</translation>
    </message>
    <message>
        <source>Bookmark {n}, or {n} hops of the trace</source>
        <translation>书签 {n}，追踪时为 {n} 步</translation>
    </message>
    <message>
        <source>Set bookmark {n}</source>
        <translation>设置书签 {n}</translation>
    </message>
    <message>
        <source>Next pa&amp;nel</source>
        <translation>下一个面板(&amp;N)</translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation>上一个面板</translation>
    </message>
    <message>
        <source>Ne&amp;xt tab</source>
        <translation>下一个标签页(&amp;X)</translation>
    </message>
    <message>
        <source>Pre&amp;vious tab</source>
        <translation>上一个标签页(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Search nodes or run a command</source>
        <translation>搜索节点或执行命令(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>与其他目标比较(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Fit the graph</source>
        <translation>适应窗口(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>实际大小(&amp;A)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Tint the se&amp;gments</source>
        <translation>为段着色(&amp;G)</translation>
    </message>
    <message>
        <source>S&amp;hapes on the edges</source>
        <translation>在边上显示形状(&amp;H)</translation>
    </message>
    <message>
        <source>Graph from left to ri&amp;ght</source>
        <translation>计算图从左到右(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Left panel</source>
        <translation>左侧面板(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>检查器(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Bottom panel</source>
        <translation>底部面板(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Explore: no bottom panel</source>
        <translation>浏览：不显示底部面板(&amp;E)</translation>
    </message>
    <message>
        <source>F&amp;ix: all panels</source>
        <translation>修复：显示全部面板(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Review: canvas and inspector, larger text</source>
        <translation>评审：图与检查器，文字放大(&amp;R)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>中文 / English</source>
        <translation>中文 / English</translation>
    </message>
    <message>
        <source>&amp;Keyboard cheat sheet</source>
        <translation>键盘速查表(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Rewrite</source>
        <translation>改写(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>Announcer</name>
    <message>
        <source>{verdict} {n}</source>
        <translation>{verdict} {n}</translation>
    </message>
    <message>
        <source>Placed on {march}: {counts}</source>
        <translation>已按 {march} 划分：{counts}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The verification has begun</source>
        <translation>验证已开始</translation>
    </message>
    <message>
        <source>The verification has passed</source>
        <translation>验证已通过</translation>
    </message>
    <message>
        <source>The verification has failed</source>
        <translation>验证未通过</translation>
    </message>
    <message>
        <source>The verification proves nothing</source>
        <translation>验证无法判断</translation>
    </message>
    <message>
        <source>The verification gave no result</source>
        <translation>验证没有结果</translation>
    </message>
    <message>
        <source>Comparison with the original: {status}</source>
        <translation>与原模型比较：{status}</translation>
    </message>
</context>
<context>
    <name>BannerTexts</name>
    <message>
        <source>The toolchain refuses the file. Nodes are judged as if it did not.</source>
        <translation>工具链会拒绝这个文件。下面的节点结论按文件被接受来判断。</translation>
    </message>
    <message>
        <source>{name} is missing. The graph is shown; values are not available.</source>
        <translation>找不到 {name}。可以查看结构，无法读取数值。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) have no complete shape</source>
        <translation>
            <numerusform>%n 个节点的形状不完整</numerusform>
        </translation>
    </message>
    <message>
        <source>first at {name}</source>
        <translation>最先出现在 {name}</translation>
    </message>
    <message>
        <source>Set sizes…</source>
        <translation>设定尺寸…</translation>
    </message>
    <message>
        <source>Run once to find out</source>
        <translation>运行一次得到形状</translation>
    </message>
</context>
<context>
    <name>Banners</name>
    <message>
        <source>{n} more</source>
        <translation>还有 {n} 条</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Blockers</name>
    <message>
        <source>Top blockers</source>
        <translation>主要阻碍</translation>
    </message>
    <message>
        <source>by segments saved</source>
        <translation>按减少的段数排序</translation>
    </message>
    <message numerus="yes">
        <source>{before} → %n segment(s)</source>
        <translation>
            <numerusform>{before} → %n 段</numerusform>
        </translation>
    </message>
    <message>
        <source>crossings −{n}</source>
        <translation>跨越 −{n}</translation>
    </message>
    <message numerus="yes">
        <source>%n island(s)</source>
        <translation>
            <numerusform>%n 个孤岛</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Breadcrumb</name>
    <message>
        <source>Select nothing: figures of the whole model</source>
        <translation>取消选择，显示整个模型的数据</translation>
    </message>
    <message>
        <source>Scopes in between</source>
        <translation>中间的作用域</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Tint the nodes of a BPU segment</source>
        <translation>给同一段的节点加底色</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Write the shapes of tensors on the edges</source>
        <translation>在连线上标出张量形状</translation>
    </message>
    <message>
        <source>Lay the graph out from left to right</source>
        <translation>从左到右排列计算图</translation>
    </message>
    <message>
        <source>Select all nodes of this scope</source>
        <translation>选中该作用域的全部节点</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>Model input</source>
        <translation>模型输入</translation>
    </message>
    <message>
        <source>Model output</source>
        <translation>模型输出</translation>
    </message>
    <message>
        <source>{0} (inferred)</source>
        <translation>{0}（推断）</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>CPU island {0}</source>
        <translation>CPU 孤岛 {0}</translation>
    </message>
    <message>
        <source>segment {0}</source>
        <translation>段 {0}</translation>
    </message>
    <message>
        <source>{0} ranks</source>
        <translation>相隔 {0} 层</translation>
    </message>
</context>
<context>
    <name>CauseChain</name>
    <message>
        <source>Decided by this node itself</source>
        <translation>由本节点自身决定</translation>
    </message>
    <message>
        <source>Its neighbours play no part</source>
        <translation>与相邻节点无关</translation>
    </message>
    <message>
        <source>The toolchain stops here</source>
        <translation>工具链在此停止</translation>
    </message>
    <message>
        <source>No model is built while this node is in it</source>
        <translation>只要模型中有这个节点，就无法生成</translation>
    </message>
    <message numerus="yes">
        <source>%n crossing(s), {sizes}</source>
        <translation>
            <numerusform>%n 次跨越，{sizes}</numerusform>
        </translation>
    </message>
    <message>
        <source>The BPU segment breaks off here</source>
        <translation>BPU 子图段在此断开</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>另有 {n} 个</translation>
    </message>
</context>
<context>
    <name>ChangesDialog</name>
    <message>
        <source>What changed</source>
        <translation>改动内容</translation>
    </message>
    <message>
        <source>Changes to {name}</source>
        <translation>对 {name} 的改动</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>{node}: {wish}</source>
        <translation>{node}：{wish}</translation>
    </message>
    <message>
        <source>node not found</source>
        <translation>找不到该节点</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>逐节点要求</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Target {platform}, {toolchain}, {flow}; sizes {sizes}.</source>
        <translation>目标 {platform}，{toolchain}，{flow}；尺寸 {sizes}。</translation>
    </message>
    <message>
        <source>Target {platform}, {toolchain}, {flow}.</source>
        <translation>目标 {platform}，{toolchain}，{flow}。</translation>
    </message>
    <message>
        <source>newest toolchain</source>
        <translation>最新工具链</translation>
    </message>
    <message>
        <source>toolchain {version}</source>
        <translation>工具链 {version}</translation>
    </message>
    <message>
        <source>Comparison of the whole models</source>
        <translation>整个模型的比较</translation>
    </message>
    <message>
        <source>done again, proven</source>
        <translation>已重做并通过验证</translation>
    </message>
    <message>
        <source>does not fit any more</source>
        <translation>不再适用</translation>
    </message>
    <message>
        <source>not proven</source>
        <translation>未通过验证</translation>
    </message>
    <message>
        <source>not tried</source>
        <translation>未尝试</translation>
    </message>
</context>
<context>
    <name>CheatSheet</name>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Move sideways</source>
        <translation>左右移动</translation>
    </message>
    <message>
        <source>Shift + wheel</source>
        <translation>Shift + 滚轮</translation>
    </message>
    <message>
        <source>Move the graph</source>
        <translation>移动图</translation>
    </message>
    <message>
        <source>Drag, or Space + drag</source>
        <translation>拖动，或空格 + 拖动</translation>
    </message>
    <message>
        <source>Add a verdict to the filter</source>
        <translation>把判定加入筛选</translation>
    </message>
    <message>
        <source>Ctrl + click</source>
        <translation>Ctrl + 单击</translation>
    </message>
    <message>
        <source>Cancel, reject, clear</source>
        <translation>取消、放弃、清除</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Pointer and Esc</source>
        <translation>指针与 Esc</translation>
    </message>
    <message>
        <source>Keyboard cheat sheet</source>
        <translation>键盘速查表</translation>
    </message>
    <message>
        <source>Find a command or a key</source>
        <translation>查找命令或按键</translation>
    </message>
    <message>
        <source>Commands and keys</source>
        <translation>命令与按键</translation>
    </message>
    <message>
        <source>No command has these letters.</source>
        <translation>没有命令包含这些字母。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{title} (on the canvas)</source>
        <translation>{title}（在图中）</translation>
    </message>
</context>
<context>
    <name>CheckTable</name>
    <message>
        <source>clause</source>
        <translation>条款</translation>
    </message>
    <message>
        <source>found</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>{n} more passed</source>
        <translation>另有 {n} 项通过</translation>
    </message>
    <message>
        <source>{n} values</source>
        <translation>{n} 个取值</translation>
    </message>
</context>
<context>
    <name>ClauseDialog</name>
    <message>
        <source>Clause</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>What the tables say</source>
        <translation>约束表的内容</translation>
    </message>
    <message numerus="yes">
        <source>Show %n node(s) that fail it</source>
        <translation>
            <numerusform>显示不满足它的 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>No node of the open model fails it.</source>
        <translation>打开的模型中没有节点不满足它。</translation>
    </message>
    <message>
        <source>whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>In {files}</source>
        <translation>所在文件：{files}</translation>
    </message>
    <message>
        <source>If it fails: {verdict}</source>
        <translation>不满足时：{verdict}</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Search nodes or run a command</source>
        <translation>搜索节点或执行命令</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Not understood: {parts}</source>
        <translation>看不懂：{parts}</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>The tables are still read.</source>
        <translation>正在读取约束表。</translation>
    </message>
    <message>
        <source>Nothing has these letters. ? lists what can be searched.</source>
        <translation>没有匹配的结果。输入 ? 查看可以搜索什么。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) found</source>
        <translation>
            <numerusform>找到 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>↑ ↓ choose, Enter runs, Esc closes, ? lists what can be searched</source>
        <translation>↑ ↓ 选择，Enter 执行，Esc 关闭，? 查看可以搜索什么</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare with</source>
        <translation>与……比较</translation>
    </message>
    <message>
        <source>The model is placed on a second target; the present one stays.</source>
        <translation>模型会放到第二个目标上判断，当前目标保持不变。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>March</source>
        <translation>March</translation>
    </message>
    <message>
        <source>Toolchain</source>
        <translation>工具链</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>流程</translation>
    </message>
</context>
<context>
    <name>CompareModel</name>
    <message>
        <source>Decides on {target}</source>
        <translation>在 {target} 上起决定作用</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝</translation>
    </message>
</context>
<context>
    <name>ComparePanel</name>
    <message>
        <source>Dim unchanged nodes</source>
        <translation>淡化未变化的节点</translation>
    </message>
    <message>
        <source>Draw nodes whose verdict is the same on both targets faint</source>
        <translation>将两个目标上结论相同的节点画淡</translation>
    </message>
    <message>
        <source>Another target…</source>
        <translation>其他目标…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>End the comparison</source>
        <translation>结束比较</translation>
    </message>
    <message>
        <source>Nodes that change</source>
        <translation>有变化的节点</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>No comparison</source>
        <translation>没有比较</translation>
    </message>
    <message numerus="yes">
        <source>None of %n node(s) changes</source>
        <translation>
            <numerusform>%n 个节点都没有变化</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {all} nodes change(s)</source>
        <translation>
            <numerusform>{all} 个节点中有 %n 个变化</numerusform>
        </translation>
    </message>
    <message>
        <source>{counts}: {ways}</source>
        <translation>{counts}：{ways}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in another number format</source>
        <translation>
            <numerusform>%n 个节点的数值格式不同</numerusform>
        </translation>
    </message>
    <message>
        <source>{text}; {formats}</source>
        <translation>{text}；{formats}</translation>
    </message>
    <message>
        <source>{here} → {there}</source>
        <translation>{here} → {there}</translation>
    </message>
    <message>
        <source>segments {a} → {b}</source>
        <translation>子图段 {a} → {b}</translation>
    </message>
    <message>
        <source>crossings {a} → {b}</source>
        <translation>跨越 {a} → {b}</translation>
    </message>
    <message>
        <source>bytes that cross {a} → {b}</source>
        <translation>跨越字节 {a} → {b}</translation>
    </message>
</context>
<context>
    <name>Comparing</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message>
        <source>Every node of this model is placed on the BPU. {n} verdicts rest on inference.</source>
        <translation>模型的所有节点都放在 BPU 上。其中 {n} 个结论来自推断。</translation>
    </message>
    <message>
        <source>No problem among the verdicts chosen.</source>
        <translation>所选结论中没有问题。</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes selected</source>
        <translation>
            <numerusform>已选中 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Select a node to see where it runs and why.</source>
        <translation>选择一个节点，查看它在哪里运行以及原因。</translation>
    </message>
</context>
<context>
    <name>Copying</name>
    <message>
        <source>Copied the name {name}</source>
        <translation>已复制名称 {name}</translation>
    </message>
    <message>
        <source>Copied the row of {name}</source>
        <translation>已复制 {name} 的表格行</translation>
    </message>
    <message>
        <source>Copied the attributes of {name}</source>
        <translation>已复制 {name} 的属性</translation>
    </message>
    <message>
        <source>Copied {name} as YAML</source>
        <translation>已将 {name} 复制为 YAML</translation>
    </message>
    <message>
        <source>Copied the picture of the canvas</source>
        <translation>已复制图的图片</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>An unexpected fault</source>
        <translation>意外故障</translation>
    </message>
    <message>
        <source>The program met a fault of its own</source>
        <translation>程序自身出现故障</translation>
    </message>
    <message>
        <source>Include file names and paths</source>
        <translation>包含文件名和路径</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Close the window and start again; unsaved work is offered for recovery.</source>
        <translation>关闭窗口并重新启动；未保存的工作可在启动后恢复。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message numerus="yes">
        <source>%n more fault(s) since; their reports are below.</source>
        <translation>
            <numerusform>此后又发生 %n 次故障，报告附在下方。</numerusform>
        </translation>
    </message>
    <message>
        <source>What you were doing did not finish. The open models are still there, and nothing of them is unsaved. The report holds no values of your models.</source>
        <translation>刚才的操作没有完成。已打开的模型仍在，且没有未保存的内容。报告不含模型的任何数值。</translation>
    </message>
    <message>
        <source>What you were doing did not finish. Rewrites that are not saved yet ({names}) are still there and are written down in {folder}. The report holds no values of your models.</source>
        <translation>刚才的操作没有完成。尚未保存的改写（{names}）仍在，并已记录在 {folder} 中。报告不含模型的任何数值。</translation>
    </message>
    <message>
        <source>What you were doing did not finish. Rewrites that are not saved yet ({names}) are still there, but are written down nowhere: continue and save them. The report holds no values of your models.</source>
        <translation>刚才的操作没有完成。尚未保存的改写（{names}）仍在，但没有记录在磁盘上：请继续并保存。报告不含模型的任何数值。</translation>
    </message>
</context>
<context>
    <name>Crashes</name>
    <message>
        <source>The same fault happened again; the log has it.</source>
        <translation>同一故障再次发生，已写入日志。</translation>
    </message>
</context>
<context>
    <name>DepthView</name>
    <message>
        <source>Error along depth</source>
        <translation>误差随深度的变化</translation>
    </message>
    <message>
        <source>Error along depth, first over the limit: {tensor}</source>
        <translation>误差随深度的变化，最先超限：{tensor}</translation>
    </message>
</context>
<context>
    <name>DiffPanel</name>
    <message>
        <source>Differences per tensor</source>
        <translation>各张量的差异</translation>
    </message>
    <message>
        <source>Values of the tensor</source>
        <translation>张量的值</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>First over the limit: {tensor}</source>
        <translation>最先超限：{tensor}</translation>
    </message>
    <message>
        <source>Computed in {dtype} by {runtime} on this computer, graph optimisation {level}. Not INT8 and not the board. The placement is a prediction from the tables, not a compiler&apos;s result.</source>
        <translation>在本机用 {runtime} 以 {dtype} 计算，图优化级别 {level}。不是 INT8，也不是板端结果。节点放置由约束表预测，不是编译器的结果。</translation>
    </message>
    <message>
        <source>What this does not prove</source>
        <translation>这个结果不能证明什么</translation>
    </message>
</context>
<context>
    <name>DiffsModel</name>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Intermediates, aligned by name</source>
        <translation>中间张量（按名称对应）</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Max abs</source>
        <translation>最大绝对</translation>
    </message>
    <message>
        <source>Mean abs</source>
        <translation>平均绝对</translation>
    </message>
    <message>
        <source>Max rel</source>
        <translation>最大相对</translation>
    </message>
    <message>
        <source>1 − cos</source>
        <translation>1 − cos</translation>
    </message>
    <message>
        <source>SNR dB</source>
        <translation>信噪比 dB</translation>
    </message>
    <message>
        <source>NaN/Inf</source>
        <translation>NaN/Inf</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>saturated</source>
        <translation>饱和</translation>
    </message>
    <message>
        <source>The cosine of a zero vector is not defined.</source>
        <translation>零向量的余弦没有定义。</translation>
    </message>
</context>
<context>
    <name>DimsDialog</name>
    <message>
        <source>Sizes to check with</source>
        <translation>用于检查的尺寸</translation>
    </message>
    <message>
        <source>A compiler needs fixed sizes. They are used here only and are not written into the file.</source>
        <translation>编译器需要固定的尺寸。这些尺寸只用于检查，不会写入文件。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{verdict} {before} → {after}</source>
        <translation>{verdict} {before} → {after}</translation>
    </message>
    <message>
        <source>Checking these sizes</source>
        <translation>正在检查这些尺寸</translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>Opening {name}</source>
        <translation>正在打开 {name}</translation>
    </message>
    <message>
        <source>Running the model once</source>
        <translation>正在运行一次模型</translation>
    </message>
    <message>
        <source>Placing</source>
        <translation>正在判断放置</translation>
    </message>
    <message>
        <source>Building the preview</source>
        <translation>正在生成预览</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在验证</translation>
    </message>
    <message>
        <source>Saving {name}</source>
        <translation>正在保存 {name}</translation>
    </message>
    <message>
        <source>Preparing a view</source>
        <translation>正在准备视图</translation>
    </message>
    <message>
        <source>Laying out</source>
        <translation>正在布局</translation>
    </message>
</context>
<context>
    <name>DocumentTabs</name>
    <message>
        <source>Open models</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close {name}</source>
        <translation>关闭 {name}</translation>
    </message>
</context>
<context>
    <name>ExplainPanel</name>
    <message>
        <source>{verdict}, following its neighbours</source>
        <translation>{verdict}（跟随相邻节点）</translation>
    </message>
    <message>
        <source>Ways around it</source>
        <translation>可行的办法</translation>
    </message>
    <message>
        <source>No clause of the table applies to this node.</source>
        <translation>约束表中没有适用于这个节点的条款。</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>{n} failed</source>
        <translation>{n} 项不满足</translation>
    </message>
    <message>
        <source>{n} unknown</source>
        <translation>{n} 项未知</translation>
    </message>
    <message>
        <source>{n} passed</source>
        <translation>{n} 项通过</translation>
    </message>
    <message>
        <source>{n} contradicted by builds</source>
        <translation>{n} 项与实际编译矛盾</translation>
    </message>
    <message>
        <source>Show the clause as the table has it</source>
        <translation>查看约束表中的条款原文</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因链</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>影响</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Save model as</source>
        <translation>模型另存为</translation>
    </message>
    <message>
        <source>The accepted rewrites of {name} are not saved.</source>
        <translation>{name} 中已接受的改写尚未保存。</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The file on disk is unchanged. Save the rewritten model under a new name?</source>
        <translation>磁盘上的文件没有变化。要把改写后的模型另存为新文件吗？</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Finder</name>
    <message>
        <source>Looking for fixes</source>
        <translation>正在查找修复</translation>
    </message>
</context>
<context>
    <name>FixList</name>
    <message>
        <source>Fixes</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Looking for fixes</source>
        <translation>正在查找修复</translation>
    </message>
    <message>
        <source>ranked by gain on this target</source>
        <translation>按当前目标上的收益排序</translation>
    </message>
    <message>
        <source>No rewrite known here brings this node to the BPU.</source>
        <translation>没有已知的改写能让这个节点回到 BPU。</translation>
    </message>
    <message>
        <source>Clean-ups</source>
        <translation>整理</translation>
    </message>
    <message>
        <source>remove no violation on this target</source>
        <translation>在当前目标上不消除任何违例</translation>
    </message>
    <message>
        <source>No help on this target</source>
        <translation>在该目标上没有帮助</translation>
    </message>
    <message>
        <source>Not applicable</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Preview all</source>
        <translation>预览全部</translation>
    </message>
    <message>
        <source>Preview this rewrite at every node that it matches</source>
        <translation>在所有匹配的节点上预览这个改写</translation>
    </message>
    <message>
        <source>CPU nodes</source>
        <translation>CPU 节点</translation>
    </message>
    <message>
        <source>Unsupported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>子图段</translation>
    </message>
    <message>
        <source>Widest</source>
        <translation>最宽</translation>
    </message>
    <message>
        <source>{n} ch</source>
        <translation>{n} 通道</translation>
    </message>
    <message>
        <source>CPU {before} → {after}</source>
        <translation>CPU {before} → {after}</translation>
    </message>
    <message>
        <source>segments {before} → {after}</source>
        <translation>段 {before} → {after}</translation>
    </message>
    <message>
        <source>widest {size}</source>
        <translation>最宽 {size}</translation>
    </message>
</context>
<context>
    <name>FixesPage</name>
    <message>
        <source>No rewrite is known for this kind of node.</source>
        <translation>没有针对这类节点的改写。</translation>
    </message>
</context>
<context>
    <name>Habits</name>
    <message>
        <source>Looking for unsaved work</source>
        <translation>正在查找未保存的工作</translation>
    </message>
    <message>
        <source>The last run ended in native code</source>
        <translation>上次运行在本机代码中崩溃</translation>
    </message>
    <message>
        <source>What is known of it stands in the log.</source>
        <translation>已知的信息在日志中。</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Unsaved work on this model was left {when}</source>
        <translation>该模型在 {when} 留有未保存的工作</translation>
    </message>
    <message numerus="yes">
        <source>%n accepted rewrite(s)</source>
        <translation>
            <numerusform>%n 个已接受的改写</numerusform>
        </translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Unsaved work of an earlier run was left</source>
        <translation>之前的运行留有未保存的工作</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Not reopened: {names}</source>
        <translation>未重新打开：{names}</translation>
    </message>
    <message>
        <source>The files are not there any more.</source>
        <translation>这些文件已不存在。</translation>
    </message>
    <message>
        <source>Where is {name} now?</source>
        <translation>{name} 现在在哪里？</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>新标签页</translation>
    </message>
    <message>
        <source>All open models</source>
        <translation>所有打开的模型</translation>
    </message>
    <message>
        <source>Search nodes or run a command</source>
        <translation>搜索节点或执行命令</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>No rewrite was accepted yet. The file on disk stays as it is until you save.</source>
        <translation>还没有接受任何改写。保存之前，磁盘上的文件不会变化。</translation>
    </message>
    <message>
        <source>Not saved. The file on disk stays as it is until you save.</source>
        <translation>尚未保存。保存之前，磁盘上的文件不会变化。</translation>
    </message>
    <message>
        <source>Undo last</source>
        <translation>撤销上一步</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message numerus="yes">
        <source>%n site(s)</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) replaced by {added}</source>
        <translation>
            <numerusform>%n 个节点替换为 {added} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>max abs {figure}</source>
        <translation>最大绝对误差 {figure}</translation>
    </message>
</context>
<context>
    <name>Identity</name>
    <message>
        <source>opset {version}</source>
        <translation>opset {version}</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
</context>
<context>
    <name>LastSessionCard</name>
    <message>
        <source>Last session</source>
        <translation>上次会话</translation>
    </message>
    <message>
        <source>Not reopened: the last start ended while it was opening {names}.</source>
        <translation>未重新打开：上次启动在打开 {names} 时中断。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>找不到文件</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reopen %n model(s)</source>
        <translation>
            <numerusform>重新打开 %n 个模型</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Hatched: inferred</source>
        <translation>斜纹：推断</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>LoadingCard</name>
    <message>
        <source>{title}: {step}</source>
        <translation>{title}：{step}</translation>
    </message>
    <message>
        <source>{text}, {percent} %</source>
        <translation>{text}，{percent}%</translation>
    </message>
    <message>
        <source>Esc cancels</source>
        <translation>按 Esc 取消</translation>
    </message>
    <message numerus="yes">
        <source>about %n s</source>
        <translation>
            <numerusform>约剩 %n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>{time} · {cancel}</source>
        <translation>{time} · {cancel}</translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>From info on</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>From warnings on</source>
        <translation>警告及以上</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Copy the records that are shown</source>
        <translation>复制当前显示的记录</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>{shown} of {all}</source>
        <translation>{shown} / {all}</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s)</source>
        <translation>
            <numerusform>%n 条记录</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
</context>
<context>
    <name>Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>图的概览</translation>
    </message>
</context>
<context>
    <name>Navigator</name>
    <message>
        <source>Bookmark {n} is {node}</source>
        <translation>书签 {n}：{node}</translation>
    </message>
    <message>
        <source>Path from {node}: select the other end, Esc leaves</source>
        <translation>从 {node} 出发的路径：请选择另一端，Esc 退出</translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) upstream</source>
        <translation>
            <numerusform>上游 %n 个方框</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) downstream</source>
        <translation>
            <numerusform>下游 %n 个方框</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) upstream within {hops} hops</source>
        <translation>
            <numerusform>上游 {hops} 步以内 %n 个方框</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) downstream within {hops} hops</source>
        <translation>
            <numerusform>下游 {hops} 步以内 %n 个方框</numerusform>
        </translation>
    </message>
    <message>
        <source>No path leads from one of these nodes to the other.</source>
        <translation>这两个节点之间没有路径。</translation>
    </message>
    <message numerus="yes">
        <source>%n box(es) on the paths between both nodes</source>
        <translation>
            <numerusform>两个节点之间的路径上有 %n 个方框</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeMenu</name>
    <message>
        <source>unknown dtype</source>
        <translation>未知数据类型</translation>
    </message>
    <message>
        <source>Go to the producer: {node}</source>
        <translation>转到生产者：{node}</translation>
    </message>
    <message>
        <source>Go to the consumer: {node}</source>
        <translation>转到消费者：{node}</translation>
    </message>
    <message>
        <source>Copy tensor name</source>
        <translation>复制张量名</translation>
    </message>
    <message>
        <source>Looking for fixes</source>
        <translation>正在查找修复</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Preview: {title}</source>
        <translation>预览：{title}</translation>
    </message>
    <message>
        <source>Other fixes</source>
        <translation>其他修复</translation>
    </message>
    <message>
        <source>Clean up: {title}</source>
        <translation>整理：{title}</translation>
    </message>
    <message>
        <source>No rewrite applies here</source>
        <translation>这里没有可用的改写</translation>
    </message>
    <message>
        <source>{title} ({variant})</source>
        <translation>{title}（{variant}）</translation>
    </message>
</context>
<context>
    <name>NodePanel</name>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>{set} set, {default} default</source>
        <translation>{set} 个已设置，{default} 个默认</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>default {value}</source>
        <translation>默认 {value}</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>forced to {device}</source>
        <translation>已强制到 {device}</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行在</translation>
    </message>
    <message>
        <source>asked for {format}</source>
        <translation>要求 {format}</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>This operator has none.</source>
        <translation>这个算子没有属性。</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>unknown dtype</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>另有 {n} 个</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Output bytes</source>
        <translation>输出字节</translation>
    </message>
    <message>
        <source>in the file&apos;s types</source>
        <translation>按文件中的类型</translation>
    </message>
</context>
<context>
    <name>NodesModel</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Input shape</source>
        <translation>输入形状</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>输出形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Out bytes</source>
        <translation>输出字节</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>NodesPanel</name>
    <message>
        <source>Filter: name, or op:Conv rank:5 status:cpu</source>
        <translation>筛选：名称，或 op:Conv rank:5 status:cpu</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Copy rows as a table</source>
        <translation>将行复制为表格</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} / {all}</translation>
    </message>
</context>
<context>
    <name>OutlineModel</name>
    <message>
        <source>{name}, {op}, {verdict}</source>
        <translation>{name}，{op}，{verdict}</translation>
    </message>
    <message numerus="yes">
        <source>{name}, %n node(s)</source>
        <translation>
            <numerusform>{name}，%n 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutlinePanel</name>
    <message>
        <source>Filter: name, or op:Conv status:cpu</source>
        <translation>筛选：名称，或 op:Conv status:cpu</translation>
    </message>
    <message>
        <source>Filter the outline</source>
        <translation>筛选大纲</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>No node fits the filter.</source>
        <translation>没有符合筛选条件的节点。</translation>
    </message>
</context>
<context>
    <name>OverrideList</name>
    <message>
        <source>Asked of single nodes</source>
        <translation>对单个节点的要求</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>另有 {n} 个</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>Copy node_info</source>
        <translation>复制 node_info</translation>
    </message>
    <message>
        <source>forced to {device}</source>
        <translation>已强制到 {device}</translation>
    </message>
    <message>
        <source>{format}, not offered by {march}</source>
        <translation>{format}，{march} 不提供</translation>
    </message>
</context>
<context>
    <name>Overriding</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>运行在</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>Copy node_info</source>
        <translation>复制 node_info</translation>
    </message>
    <message>
        <source>node_info finds nodes by name; these have none of their own: {names}</source>
        <translation>node_info 按名称查找节点；以下节点没有自己的名称：{names}</translation>
    </message>
    <message>
        <source>Copied node_info for model_parameters of the build configuration</source>
        <translation>已复制 node_info，可填入编译配置的 model_parameters</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Nodes, by name, operator, or filters as op:Conv rank:5 status:cpu</source>
        <translation>节点：按名称、算子，或 op:Conv rank:5 status:cpu 这样的筛选条件</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Clauses: what a table says, and who says so</source>
        <translation>约束：表中怎么写，出处是什么</translation>
    </message>
    <message>
        <source>Platforms and toolchain versions</source>
        <translation>平台与工具链版本</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>PreviewView</name>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Ways to build the replacement</source>
        <translation>构造替换的几种方案</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Close the preview without a change (Esc)</source>
        <translation>关闭预览，不做修改（Esc）</translation>
    </message>
    <message>
        <source>Previous site</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next site</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>改写前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>改写后</translation>
    </message>
    <message>
        <source>Site {n} of {all}</source>
        <translation>第 {n} 处，共 {all} 处</translation>
    </message>
    <message>
        <source>Accept all {n}</source>
        <translation>接受全部 {n} 处</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Take the rewrite as one undo step (Ctrl+Enter)</source>
        <translation>接受改写，作为一个撤销步骤（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>The rewrite does not fit at any site.</source>
        <translation>这个改写不适用于任何位置。</translation>
    </message>
    <message>
        <source>Accept stays off: the outputs differ by more than the limit.</source>
        <translation>不能接受：输出差异超过上限。</translation>
    </message>
    <message>
        <source>Accept is off until both stages have passed.</source>
        <translation>两个阶段都通过之前不能接受。</translation>
    </message>
    <message>
        <source>Accept stays off: the comparison proves nothing.</source>
        <translation>不能接受：比较没有得出结论。</translation>
    </message>
    <message>
        <source>Accept stays off: there is no result. Try again.</source>
        <translation>不能接受：没有结果。请重试。</translation>
    </message>
    <message numerus="yes">
        <source>%n segment(s)</source>
        <translation>
            <numerusform>%n 段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n crossing(s)</source>
        <translation>
            <numerusform>%n 次跨越</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>{op}, {rank}-D</source>
        <translation>{op}，{rank} 维</translation>
    </message>
</context>
<context>
    <name>ProblemsPanel</name>
    <message>
        <source>Filter: op, name, clause</source>
        <translation>筛选：算子、名称、条款</translation>
    </message>
    <message>
        <source>Filter problems</source>
        <translation>筛选问题</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>ProofHead</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{elapsed} s, each run at most {limit} s</source>
        <translation>已用 {elapsed} 秒，单次运行最多 {limit} 秒</translation>
    </message>
    <message>
        <source>memory at most {size}</source>
        <translation>内存最多 {size}</translation>
    </message>
    <message>
        <source>✕ No result</source>
        <translation>✕ 没有结果</translation>
    </message>
    <message>
        <source>! Cancelled</source>
        <translation>! 已取消</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在验证</translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s) done</source>
        <translation>
            <numerusform>已完成 %n 项比较</numerusform>
        </translation>
    </message>
    <message>
        <source>Not verified</source>
        <translation>未验证</translation>
    </message>
    <message>
        <source>bit-exact</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>max rel {found}, limit {limit}</source>
        <translation>最大相对误差 {found}，上限 {limit}</translation>
    </message>
    <message numerus="yes">
        <source>%n input set(s)</source>
        <translation>
            <numerusform>%n 组输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) compared in {seconds} s</source>
        <translation>
            <numerusform>比较了 %n 个张量，用时 {seconds} s</numerusform>
        </translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>limit max abs = 0</source>
        <translation>上限：最大绝对误差 0</translation>
    </message>
    <message>
        <source>limit max rel {limit}</source>
        <translation>上限：最大相对误差 {limit}</translation>
    </message>
</context>
<context>
    <name>Quick</name>
    <message>
        <source>Reading the clauses</source>
        <translation>正在读取约束</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
</context>
<context>
    <name>RecentCard</name>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>找不到文件</translation>
    </message>
</context>
<context>
    <name>Recents</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
</context>
<context>
    <name>RecoveryCards</name>
    <message numerus="yes">
        <source>Show %n older</source>
        <translation>
            <numerusform>显示更早的 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard %n older</source>
        <translation>
            <numerusform>丢弃更早的 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Unsaved work that cannot be read</source>
        <translation>无法读取的未保存工作</translation>
    </message>
    <message>
        <source>Unsaved work on {name}</source>
        <translation>{name} 有未保存的工作</translation>
    </message>
    <message>
        <source>Choose the file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>查看改动</translation>
    </message>
    <message numerus="yes">
        <source>%n accepted rewrite(s)</source>
        <translation>
            <numerusform>%n 个已接受的改写</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) for single nodes</source>
        <translation>
            <numerusform>%n 个逐节点要求</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n size(s)</source>
        <translation>
            <numerusform>%n 个尺寸</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The program ended without saving: {what}, for {target}.</source>
        <translation>程序结束时尚未保存：{what}，目标 {target}。</translation>
    </message>
    <message>
        <source>The program ended without saving: {what}, for {target}, last change {when}.</source>
        <translation>程序结束时尚未保存：{what}，目标 {target}，最后改动于 {when}。</translation>
    </message>
    <message>
        <source>The file changed since: the rewrites are tried on the new one</source>
        <translation>文件此后已更改：将在新文件上尝试这些改写</translation>
    </message>
    <message>
        <source>The file is not there any more</source>
        <translation>文件已不存在</translation>
    </message>
    <message>
        <source>The file cannot be read</source>
        <translation>无法读取文件</translation>
    </message>
</context>
<context>
    <name>Resuming</name>
    <message>
        <source>Doing the rewrites again</source>
        <translation>正在重做改写</translation>
    </message>
</context>
<context>
    <name>RewritePanel</name>
    <message>
        <source>Accept adds one undo step, “{title}”. The file on disk stays as it is until you save.</source>
        <translation>接受会增加一个撤销步骤“{title}”。保存之前，磁盘上的文件不会变化。</translation>
    </message>
    <message>
        <source>What it changes on {march} {toolchain}</source>
        <translation>在 {march} {toolchain} 上的变化</translation>
    </message>
    <message>
        <source>before</source>
        <translation>改写前</translation>
    </message>
    <message>
        <source>after</source>
        <translation>改写后</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>CPU nodes</source>
        <translation>CPU 节点</translation>
    </message>
    <message>
        <source>Unsupported nodes</source>
        <translation>不支持的节点</translation>
    </message>
    <message>
        <source>Unknown nodes</source>
        <translation>未知节点</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>子图段</translation>
    </message>
    <message>
        <source>Bytes that cross</source>
        <translation>跨越的字节</translation>
    </message>
    <message>
        <source>Widest, channels</source>
        <translation>最大通道数</translation>
    </message>
    <message>
        <source>Widest tensor</source>
        <translation>最大张量</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Output bytes</source>
        <translation>输出字节</translation>
    </message>
    <message>
        <source>Widest, MACs and output bytes count the replaced nodes against their replacement.</source>
        <translation>最大通道、最大张量、乘加次数和输出字节比较的是被替换的节点与替换后的节点。</translation>
    </message>
    <message>
        <source>Preconditions</source>
        <translation>前提条件</translation>
    </message>
    <message>
        <source>{n} met</source>
        <translation>{n} 项满足</translation>
    </message>
    <message>
        <source>Introduced nodes</source>
        <translation>新增节点</translation>
    </message>
    <message>
        <source>{n}, none with a problem</source>
        <translation>{n} 个，均无问题</translation>
    </message>
    <message>
        <source>{n}, {trouble} with a problem</source>
        <translation>{n} 个，其中 {trouble} 个有问题</translation>
    </message>
    <message>
        <source>{n} of {all} can go</source>
        <translation>{all} 处中 {n} 处可改写</translation>
    </message>
    <message>
        <source>Sites</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>{n} ch</source>
        <translation>{n} 通道</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>no result</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>{status}, max abs {figure}</source>
        <translation>{status}，最大绝对误差 {figure}</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>Find: name, or op:Conv rank:5 status:cpu</source>
        <translation>查找：名称，或 op:Conv rank:5 status:cpu</translation>
    </message>
    <message>
        <source>Names, and filters: {keys}</source>
        <translation>名称，以及筛选条件：{keys}</translation>
    </message>
    <message>
        <source>Find nodes</source>
        <translation>查找节点</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Not understood: {parts}</source>
        <translation>看不懂：{parts}</translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n 个命中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Service</name>
    <message>
        <source>Reading the file</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>Inferring shapes</source>
        <translation>推断形状</translation>
    </message>
    <message>
        <source>Running the model</source>
        <translation>正在运行模型</translation>
    </message>
    <message>
        <source>Laying out the graph</source>
        <translation>图布局</translation>
    </message>
    <message>
        <source>Fragment</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>Rewriting and proving</source>
        <translation>改写并验证</translation>
    </message>
    <message>
        <source>Placing</source>
        <translation>正在判断放置</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Size of everything</source>
        <translation>界面缩放</translation>
    </message>
    <message>
        <source>Text, controls and the graph grow together.</source>
        <translation>文字、控件和计算图一起放大。</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动态效果</translation>
    </message>
    <message>
        <source>Use the system&apos;s fonts</source>
        <translation>使用系统字体</translation>
    </message>
    <message>
        <source>Otherwise Inter and JetBrains Mono, where they are installed.</source>
        <translation>否则使用 Inter 和 JetBrains Mono（若已安装）。</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>画布</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>鼠标滚轮</translation>
    </message>
    <message>
        <source>Print is black on white: signs, borders and hatches tell verdicts apart.</source>
        <translation>打印为白底黑字：靠图标、边框和斜线区分结论。</translation>
    </message>
    <message>
        <source>Nothing glides or fades; nor does it where the system asks for it.</source>
        <translation>不再有滑动和淡入淡出；系统要求时同样生效。</translation>
    </message>
    <message>
        <source>When it scrolls, Ctrl + wheel zooms. Shift + wheel moves sideways.</source>
        <translation>滚动时用 Ctrl + 滚轮缩放，Shift + 滚轮横向移动。</translation>
    </message>
    <message>
        <source>Zooms</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Scrolls</source>
        <translation>滚动</translation>
    </message>
    <message>
        <source>The graph flows</source>
        <translation>计算图方向</translation>
    </message>
    <message>
        <source>Downwards</source>
        <translation>自上而下</translation>
    </message>
    <message>
        <source>To the right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed makes the same inputs.</source>
        <translation>种子相同，输入就相同。</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>A computation that takes longer is stopped and gives no result.</source>
        <translation>超时的计算会被终止，没有结果。</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Share of this computer&apos;s memory that a computation may use.</source>
        <translation>计算可以占用的本机内存比例。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Keep unsaved work</source>
        <translation>保留未保存的修改</translation>
    </message>
    <message>
        <source>Accepted rewrites are written down and offered again after a crash.</source>
        <translation>接受的改写会随时记录下来，崩溃后可以恢复。</translation>
    </message>
    <message>
        <source>Open the models of the last session</source>
        <translation>启动时打开上次的模型</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部恢复默认</translation>
    </message>
    <message>
        <source>The target, the recent files and the window&apos;s layout stay.</source>
        <translation>目标平台、最近文件和窗口布局保持不变。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>SeveralPanel</name>
    <message>
        <source>Copy names</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>{op} ×{n}</source>
        <translation>{op} ×{n}</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 种</numerusform>
        </translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MAC</translation>
    </message>
    <message>
        <source>Out bytes</source>
        <translation>输出字节</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Fixes</source>
        <translation>修复</translation>
    </message>
    <message numerus="yes">
        <source>fits %n of the selected nodes</source>
        <translation>
            <numerusform>适用于选中节点中的 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Preview all {n} in the model</source>
        <translation>预览模型中全部 {n} 处</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message>
        <source>No rule</source>
        <translation>没有规则</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>See where every node runs, why, and what fixes it</source>
        <translation>看清每个节点在哪里运行、为什么、怎样修复</translation>
    </message>
    <message>
        <source>Open an ONNX model. Nothing leaves this computer, and your file is never changed until you save.</source>
        <translation>打开一个 ONNX 模型。数据不会离开本机；保存之前，文件不会有任何变化。</translation>
    </message>
    <message>
        <source>Drop a model here</source>
        <translation>把模型拖到这里</translation>
    </message>
    <message>
        <source>.onnx, with or without external data</source>
        <translation>.onnx，可带外部数据</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Which chip do you deploy to?</source>
        <translation>部署到哪款芯片？</translation>
    </message>
    <message>
        <source>You can change it at any time; the colours follow at once.</source>
        <translation>随时可以更换，颜色会立即更新。</translation>
    </message>
    <message>
        <source>Try a sample</source>
        <translation>试用示例</translation>
    </message>
    <message>
        <source>What the colours mean</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>BPU, inferred</source>
        <translation>BPU（推断）</translation>
    </message>
    <message>
        <source>Holds, but a clause is our reading and not a document.</source>
        <translation>条件成立，但其中有条款是我们的推断，没有文档依据。</translation>
    </message>
</context>
<context>
    <name>Starting</name>
    <message>
        <source>Occupancy head</source>
        <translation>占用网络头部</translation>
    </message>
    <message>
        <source>three ConvTranspose3d</source>
        <translation>三个 ConvTranspose3d</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>检测网络</translation>
    </message>
    <message>
        <source>24 BatchNormalization kept</source>
        <translation>保留 24 个 BatchNormalization</translation>
    </message>
    <message>
        <source>3-D upsampling</source>
        <translation>三维上采样</translation>
    </message>
    <message>
        <source>trilinear Resize</source>
        <translation>三线性 Resize</translation>
    </message>
    <message>
        <source>Placing the samples</source>
        <translation>正在划分示例模型</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Cancel (Esc)</source>
        <translation>取消（Esc）</translation>
    </message>
    <message>
        <source>{title}: {step}</source>
        <translation>{title}：{step}</translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <source>Back along axis {axis}</source>
        <translation>沿轴 {axis} 后退</translation>
    </message>
    <message>
        <source>Forth along axis {axis}</source>
        <translation>沿轴 {axis} 前进</translation>
    </message>
    <message>
        <source>axis {axis}: {index} of {n}</source>
        <translation>轴 {axis}：{index} / {n}</translation>
    </message>
</context>
<context>
    <name>SumTexts</name>
    <message numerus="yes">
        <source>{figure}, %n node(s) not counted</source>
        <translation>
            <numerusform>{figure}，%n 个节点未计入</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SummaryPanel</name>
    <message>
        <source>What the colours mean</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>子图段</translation>
    </message>
    <message>
        <source>Crossings</source>
        <translation>跨越次数</translation>
    </message>
    <message>
        <source>Bytes that cross</source>
        <translation>跨越的字节</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>IR version</source>
        <translation>IR 版本</translation>
    </message>
    <message>
        <source>unsupported nodes</source>
        <translation>不支持的节点</translation>
    </message>
    <message>
        <source>CPU nodes</source>
        <translation>CPU 节点</translation>
    </message>
    <message>
        <source>unknown nodes</source>
        <translation>未知节点</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>段</translation>
    </message>
    <message numerus="yes">
        <source>{n} of %n node(s) are not placed on the BPU</source>
        <translation>
            <numerusform>%n 个节点中有 {n} 个没有放在 BPU 上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n verdict(s) rest on inference</source>
        <translation>
            <numerusform>%n 个结论来自推断</numerusform>
        </translation>
    </message>
    <message>
        <source>Every node of this model is placed on the BPU</source>
        <translation>模型的所有节点都放在 BPU 上</translation>
    </message>
    <message>
        <source>{value}, the toolchain takes {allowed}</source>
        <translation>{value}，工具链接受 {allowed}</translation>
    </message>
    <message>
        <source>Best fixes</source>
        <translation>最佳修复</translation>
    </message>
    <message>
        <source>ranked by gain on this target</source>
        <translation>按在该目标上的收益排序</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Preview all {n}</source>
        <translation>预览全部 {n} 处</translation>
    </message>
</context>
<context>
    <name>Surface</name>
    <message>
        <source>This graph has no nodes.</source>
        <translation>这个图没有节点。</translation>
    </message>
    <message>
        <source>No model is open. Open one, or drop a file here.</source>
        <translation>没有打开的模型。请打开一个，或把文件拖到这里。</translation>
    </message>
    <message>
        <source>Model graph</source>
        <translation>模型图</translation>
    </message>
</context>
<context>
    <name>TabHabits</name>
    <message>
        <source>Reload {name}?</source>
        <translation>重新加载 {name}？</translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s) were accepted. They can be done again on the file as it is now.</source>
        <translation>
            <numerusform>已接受 %n 个改写，可以在当前文件上重做。</numerusform>
        </translation>
    </message>
    <message>
        <source>Reload and redo</source>
        <translation>重新加载并重做</translation>
    </message>
    <message>
        <source>Reload without</source>
        <translation>只重新加载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>{name} is not there any more</source>
        <translation>{name} 已不存在</translation>
    </message>
    <message>
        <source>The graph stays on screen. Weights cannot be read until the file is back.</source>
        <translation>图仍保留在屏幕上。文件恢复之前无法读取权重。</translation>
    </message>
    <message>
        <source>{name} changed on disk</source>
        <translation>{name} 在磁盘上已更改</translation>
    </message>
    <message>
        <source>Weights changed on disk: {names}</source>
        <translation>磁盘上的权重已更改：{names}</translation>
    </message>
    <message>
        <source>The window shows what was read before.</source>
        <translation>窗口显示的是之前读取的内容。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s) done again and proven</source>
        <translation>
            <numerusform>%n 个改写已重做并通过验证</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s) were not done again</source>
        <translation>
            <numerusform>%n 个改写未重做</numerusform>
        </translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>{done} of {all} rewrites done again</source>
        <translation>已重做 {all} 个改写中的 {done} 个</translation>
    </message>
    <message>
        <source>Not everything is as it was, or not everything could be proven.</source>
        <translation>并非一切都已恢复原样，或有内容未能通过验证。</translation>
    </message>
</context>
<context>
    <name>TargetBar</name>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>March</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Toolchain</source>
        <translation>工具链</translation>
    </message>
    <message>
        <source>Post-training quantisation</source>
        <translation>训练后量化</translation>
    </message>
    <message>
        <source>Quantisation-aware training</source>
        <translation>量化感知训练</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>{version}   uses {other}</source>
        <translation>{version}   沿用 {other}</translation>
    </message>
    <message>
        <source>{n} of them inferred</source>
        <translation>其中 {n} 个来自推断</translation>
    </message>
    <message numerus="yes">
        <source>%n segment(s)</source>
        <translation>
            <numerusform>%n 段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n crossing(s)</source>
        <translation>
            <numerusform>%n 次跨越</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Telling</name>
    <message numerus="yes">
        <source>Checked %n node(s)</source>
        <translation>
            <numerusform>已检查 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved {path}</source>
        <translation>已保存 {path}</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s), not saved</source>
        <translation>
            <numerusform>%n 处修改未保存</numerusform>
        </translation>
    </message>
    <message>
        <source>no unsaved change</source>
        <translation>没有未保存的修改</translation>
    </message>
    <message>
        <source>rules {march} {toolchain} · {digest}</source>
        <translation>约束表 {march} {toolchain} · {digest}</translation>
    </message>
</context>
<context>
    <name>ValuesPanel</name>
    <message>
        <source>Elements per decade of |difference|, log scale; line: limit</source>
        <translation>|差值| 每个数量级的元素个数（对数刻度）；虚线为上限</translation>
    </message>
    <message>
        <source>No values were kept for this tensor.</source>
        <translation>没有保留这个张量的数值。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>改写前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>改写后</translation>
    </message>
    <message>
        <source>worst in this slice: {values}</source>
        <translation>本切片中最大的差：{values}</translation>
    </message>
    <message>
        <source>range {range}</source>
        <translation>范围 {range}</translation>
    </message>
    <message>
        <source>range {range} · shown: {kept} of {whole}</source>
        <translation>范围 {range} · 显示 {kept}，全部 {whole}</translation>
    </message>
    <message>
        <source>all elements equal: {n}</source>
        <translation>{n} 个元素全部相等</translation>
    </message>
    <message>
        <source>equal in this slice</source>
        <translation>这个切片内全部相等</translation>
    </message>
    <message>
        <source>|Difference|  0 … {high}</source>
        <translation>|差值|  0 … {high}</translation>
    </message>
</context>
<context>
    <name>ValuesTools</name>
    <message>
        <source>Worst elements</source>
        <translation>误差最大的元素</translation>
    </message>
    <message>
        <source>No element differs: nothing to list</source>
        <translation>全部元素相等，没有可列出的</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>of the first input set</source>
        <translation>取自第一组输入</translation>
    </message>
    <message>
        <source>of the kept part, first input set</source>
        <translation>取自保留的部分，第一组输入</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>图片（PNG）…</translation>
    </message>
    <message>
        <source>Figures of all tensors (CSV)…</source>
        <translation>全部张量的误差（CSV）…</translation>
    </message>
    <message>
        <source>Values of this tensor (NPZ)…</source>
        <translation>该张量的数值（NPZ）…</translation>
    </message>
</context>
<context>
    <name>WholeModel</name>
    <message>
        <source>The model has opset {version}. Convert to:</source>
        <translation>模型为 opset {version}。转换到：</translation>
    </message>
    <message>
        <source>Save the part as</source>
        <translation>子模型另存为</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Comparing the parts with the model</source>
        <translation>正在把子模型与原模型比较</translation>
    </message>
    <message>
        <source>Writing parts</source>
        <translation>正在写出子模型</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>Open models</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>BPU</source>
        <translation>BPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Unsupported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>Runs on the BPU</source>
        <translation>运行在 BPU</translation>
    </message>
    <message>
        <source>Falls back to the CPU</source>
        <translation>回退到 CPU</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>Every clause that applies was checked and holds.</source>
        <translation>所有适用的条款都已检查并满足。</translation>
    </message>
    <message>
        <source>A clause fails; the values found and allowed are shown.</source>
        <translation>有条款不满足；会显示实际值和允许值。</translation>
    </message>
    <message>
        <source>Neither the BPU nor the CPU side takes it.</source>
        <translation>BPU 和 CPU 都不能运行。</translation>
    </message>
    <message>
        <source>No clause, or a shape is missing. Never counted as BPU.</source>
        <translation>没有条款，或缺少形状。绝不计为 BPU。</translation>
    </message>
    <message>
        <source>Computed before the model runs, so it takes no time.</source>
        <translation>在模型运行之前算出，不占运行时间。</translation>
    </message>
    <message>
        <source>Documented</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Reported</source>
        <translation>实测报告</translation>
    </message>
    <message>
        <source>Inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Equivalent</source>
        <translation>等价</translation>
    </message>
    <message>
        <source>Approximate</source>
        <translation>近似</translation>
    </message>
    <message>
        <source>Changes the interface</source>
        <translation>改变接口</translation>
    </message>
    <message>
        <source>Only moves data: outputs are bit-equal.</source>
        <translation>只搬移数据：输出逐位相同。</translation>
    </message>
    <message>
        <source>The same mathematics with another order of rounding.</source>
        <translation>数学上相同，只是舍入顺序不同。</translation>
    </message>
    <message>
        <source>Another function within a stated error.</source>
        <translation>另一个函数，误差在声明范围内。</translation>
    </message>
    <message>
        <source>Changes the inputs or outputs of the model.</source>
        <translation>改变模型的输入或输出。</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Inconclusive</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>Fragment</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>normal ×{range}</source>
        <translation>正态 ×{range}</translation>
    </message>
    <message>
        <source>uniform {range}</source>
        <translation>均匀 {range}</translation>
    </message>
    <message>
        <source>evenly spaced {range}</source>
        <translation>等距 {range}</translation>
    </message>
    <message>
        <source>ones</source>
        <translation>全 1</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>all negative</source>
        <translation>全负</translation>
    </message>
    <message>
        <source>extremes</source>
        <translation>极值</translation>
    </message>
    <message>
        <source>declared in the file</source>
        <translation>文件中声明</translation>
    </message>
    <message>
        <source>inferred by onnx</source>
        <translation>由 onnx 推断</translation>
    </message>
    <message>
        <source>from a folded shape chain</source>
        <translation>由形状链折叠得出</translation>
    </message>
    <message>
        <source>read off one run</source>
        <translation>由一次运行得出</translation>
    </message>
    <message>
        <source>follows from a size you set</source>
        <translation>由你设定的尺寸得出</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>Close the panel</source>
        <translation>关闭面板</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Fixes</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Numerical diff</source>
        <translation>数值对比</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Left panel</source>
        <translation>左侧面板</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Bottom panel</source>
        <translation>底部面板</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Summary of the model</source>
        <translation>模型概要</translation>
    </message>
    <message>
        <source>Selected nodes</source>
        <translation>选中的节点</translation>
    </message>
</context>
<context>
    <name>ZoomBar</name>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Fit the graph</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>实际大小</translation>
    </message>
</context>
<context>
    <name>_Counts</name>
    <message numerus="yes">
        <source>%n fix(es)</source>
        <translation>
            <numerusform>%n 个修复</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>window</name>
    <message>
        <source>Reading the tables</source>
        <translation>正在读取约束表</translation>
    </message>
</context>
</TS>
